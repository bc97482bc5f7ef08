"""JupyterLab in a real browser, for the tests that click.

    @pytest.mark.browser
    def test_the_board_answers(lab):
        lesson = lab.open("00_start_here.ipynb")      # or lab.write("board.ipynb", "import coinlib", "...")
        lesson.run_all()
        lesson.page.get_by_role("button", name="New game").click()
        shot_of(lesson.page, "new-game")              # tests/screenshots/new-game.png, to be looked at, if asked for

The fixtures are in their folder's conftest.py: one JupyterLab, one Chromium (browser.py), and one page for all
tests. What a reader does with a lab is in hands.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from browser import PATIENCE, troubles_of
from paths import NOTEBOOKS, ROOT
from small_course import write_lesson

from coincourse.course import lab_environment

SHOTS = ROOT / "tests" / "screenshots"
TOKEN = "lesson"
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "docmanager-extension/plugin": {"autosave": False},
    "notebook-extension/tracker": {"windowingMode": "none"},  # all cells in the page, seen or not
}
PLACES = [f"JUPYTER_{kind}_DIR" for kind in ("CONFIG", "DATA", "RUNTIME")]
PLACES += ["JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR"]
ALL_RUN = r"""() => {
    // a folded cell shows a prompt without a number
    const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)')];
    return prompts.length > 0 && prompts.every(prompt => /^\[\d+\]:$/.test(prompt.textContent.trim()));
}"""


def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """JupyterLab with its own folder and settings; `close()` ends it."""

    def __init__(self, folder: Path):
        self.folder, self.base = folder / "lessons", f"http://127.0.0.1:{free_port()}"
        self.folder.mkdir()
        for plugin, values in SETTINGS.items():
            file = folder / "JUPYTERLAB_SETTINGS_DIR" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values))
        options = (
            "--no-browser --allow-root --ip=127.0.0.1 --ServerApp.port_retries=0 "
            f"--port={self.base.rpartition(':')[2]} --IdentityProvider.token={TOKEN} "
            "--LabApp.expose_app_in_browser=True"  # see OPEN
        ).split()
        self.log = folder / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={self.folder}"],
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=lab_environment() | {name: str(folder / name) for name in PLACES},
            )
        while not self._is_up():
            time.sleep(0.1)

    def _is_up(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"JupyterLab did not start; it said:\n{self.log.read_text()[-3000:]}")
        with contextlib.suppress(OSError):
            self.ask("status")
            return True
        return False

    def ask(self, what: str, method: str = "GET"):
        """The server's answer to one question of its interface, such as "sessions"."""
        straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(f"{self.base}/api/{what}?token={TOKEN}", method=method)
        with straight.open(request, timeout=30) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def sessions(self, name: str) -> list[dict]:
        """The kernels running for the notebook `name`."""
        return [session for session in self.ask("sessions") if session["path"] == name]

    def close(self) -> None:
        """End JupyterLab and every kernel that it started."""
        self.process.terminate()
        self.process.wait()


# JupyterLab's page takes seconds to load, so it stays open, and one notebook replaces another.
CLOSE = "() => [...jupyterapp.shell.widgets('main')].forEach((widget) => widget.dispose())"
RUN_ALL = """async () => {
    await jupyterapp.commands.execute("notebook:clear-all-cell-outputs");
    await jupyterapp.commands.execute("notebook:run-all-cells");
}"""
OPEN = "async (path) => { await jupyterapp.commands.execute('docmanager:open', { path }); }"


class Lesson:
    """One notebook open in the browser; `page` is Playwright's page."""

    def __init__(self, server: Server, page, name: str, anew: bool = False):
        self.server, self.page, self.name = server, page, name
        if anew or not page.url.startswith(server.base):
            page.goto(f"{server.base}/lab/tree/{name}?token={TOKEN}&reset")
        else:
            page.evaluate(CLOSE)
            page.evaluate(OPEN, name)
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        self._wait(self._kernel_is_ready)

    def _wait(self, is_true) -> bool:
        """Whether something became true before patience ended."""
        deadline = time.monotonic() + PATIENCE
        while not (found := is_true()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        return found

    def _kernel_is_ready(self) -> bool:
        # the page's own mark says "idle" too early, so the server is asked
        kernels = [session["kernel"] for session in self.server.sessions(self.name)]
        return any(kernel["connections"] and kernel["execution_state"] == "idle" for kernel in kernels)

    def run_all(self) -> None:
        """Run every cell from the top and wait until the last one has a number.

        The stored outputs are cleared first, so nothing that is then on the page was there before.
        """
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function(ALL_RUN)
        assert self._wait(self._kernel_is_ready), f"{self.name}: the kernel is still busy"

    def menu(self, *names: str) -> None:
        """Choose an entry of JupyterLab's menus, such as `menu("Run", "Run All Cells")`."""
        self.page.get_by_role("menuitem", name=names[0], exact=True).click()
        for name in names[1:]:
            self.page.locator(".lm-Menu-item").get_by_text(name, exact=True).click()

    def cell(self, text: str):
        """The first code cell whose source holds `text`, with its output, as a Playwright locator."""
        source = self.page.locator(".jp-InputArea-editor", has_text=text)
        return self.page.locator(".jp-CodeCell", has=source).first

    @contextlib.contextmanager
    def dark(self):
        """The dark theme while the block runs; the server would keep it for the next test."""
        self._theme("JupyterLab Dark", "false")
        try:
            yield
        finally:
            self._theme("JupyterLab Light", "true")

    def _theme(self, name: str, light: str) -> None:
        """Choose a theme, and wait until the overlay that JupyterLab shows meanwhile is gone."""
        self.menu("Settings", "Theme", name)
        self.page.locator(f"body[data-jp-theme-light='{light}']").wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    @contextlib.contextmanager
    def narrow(self):
        """A page as narrow as a phone's, without the list of files, while the block runs."""
        wide = self.page.viewport_size
        self.menu("View", "Appearance", "Show Left Sidebar")
        self.page.set_viewport_size(wide | {"width": 390})
        try:
            yield
        finally:
            self.page.set_viewport_size(wide)
            self.menu("View", "Appearance", "Show Left Sidebar")

    def close(self) -> None:
        """Close the notebook and end its kernel; the page stays."""
        if self.page.url.startswith(self.server.base):
            self.page.evaluate(CLOSE)
        for session in self.server.sessions(self.name):
            self.server.ask(f"sessions/{session['id']}", "DELETE")


class Lab:
    """A page of JupyterLab on a `Server`; opens lessons there, and forgets them when the test is over."""

    def __init__(self, server: Server, browser):
        self.server = server
        self.page = browser.new_page()
        self.troubles = troubles_of(self.page, server.base, server.base.replace("http", "ws"), "blob:")
        self.lessons: list[Lesson] = []
        self.gallery: Gallery | None = None  # as long as its notebook is open

    def open(self, notebook: str, height: int = 1100) -> Lesson:
        """Open a copy of a lesson."""
        shutil.copy(NOTEBOOKS / notebook, self.server.folder)
        return self.show(notebook, height)

    def write(self, name: str, *cells: str, height: int = 1100) -> Lesson:
        """Open a new notebook `name` that has these code cells."""
        write_lesson(self.server.folder / name, *cells)
        return self.show(name, height)

    def show(self, name: str, height: int, anew: bool = False) -> Lesson:
        """Open a notebook in the server's folder; with `anew`, reload the page first, as on another day."""
        self.page.set_viewport_size({"width": 1280, "height": height})
        self.lessons.append(Lesson(self.server, self.page, name, anew))
        return self.lessons[-1]

    def follow(self, link, name: str) -> None:
        """Click a link, wait for the tab of the notebook that it opens, and leave the page.

        JupyterLab raises errors if a notebook is closed while its kernel starts, so this one is not closed.
        """
        link.click()
        self.page.locator(".lm-TabBar-tabLabel", has_text=name).wait_for()
        self.page.goto("about:blank")

    def new_troubles(self) -> list[str]:
        """What has gone wrong, or was requested from another machine, since the last call."""
        found = list(self.troubles)
        self.troubles.clear()
        return found

    def forget(self) -> None:
        """Close the lesson that is open; nothing has gone wrong in it."""
        for lesson in self.lessons:
            lesson.close()
        self.lessons.clear()
        self.gallery = None
        found = self.new_troubles()
        assert found == [], found


class Gallery:
    """Several labs in one notebook, each in its own cell, all run once; the first cell only imports."""

    def __init__(self, lesson: Lesson, names: list[str]):
        self.lesson, self.lessons = lesson, [lesson]
        mark = "(outputs, names) => names.forEach((name, place) => outputs[1 + place].setAttribute('data-lab', name))"
        lesson.page.locator(".jp-CodeCell .jp-OutputArea").evaluate_all(mark, names)
        for name in names:  # a lab that appears late would push the others down
            self.output(name).locator(".coin-lab").wait_for()

    def output(self, name: str):
        """The output of the lab with this name, as a Playwright locator."""
        return self.lesson.page.locator(f"[data-lab='{name}']")


def shot_of(part, name: str) -> None:
    """A picture of a page or of a part of it, to look at; only if COINLIB_SHOTS is set, since hundreds take long."""
    if os.environ.get("COINLIB_SHOTS"):
        picture(part, name)


def picture(part, name: str) -> None:
    """A picture of a page or of a part of it, once its animations have ended, in tests/screenshots/."""
    part.screenshot(path=SHOTS / f"{name}.png", animations="disabled")
