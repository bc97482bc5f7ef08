"""JupyterLab in a real browser, for the tests that click.

    @pytest.mark.browser
    def test_the_board_answers(lab):
        lesson = lab.open("00_start_here.ipynb")      # or lab.write("board.ipynb", "import coinlib", "...")
        lesson.run_all()
        lesson.page.get_by_role("button", name="New game").click()
        shot_of(lesson.page, "new-game")              # tests/screenshots/new-game.png, to be looked at, if asked for

The fixtures stand in the conftest.py of their folder: one JupyterLab, one Chromium and one cache for all tests. The browser reaches
this machine and no other, so what works here works without a network.
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
from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import NOTEBOOKS, ROOT
from small_course import write_lesson

from coincourse.course import lab_environment

try:
    from playwright.sync_api import expect
except ImportError:  # then the tests are skipped
    expect = None

SHOTS = ROOT / "tests" / "screenshots"
TOKEN = "lesson"
PATIENCE = 60  # seconds: a test waits for what happens, and gives up where nothing does for so long
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # as if there were no network
]
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


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next((path for path in map(shutil.which, names) if path), None)


@contextlib.contextmanager
def chromium_context() -> Iterator:
    """A Chromium without a window: Playwright's context, whose pages share what they have fetched."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        context = browser.new_context()
        context.set_default_timeout(1000 * PATIENCE)
        expect.set_options(timeout=1000 * PATIENCE)
        yield context
        browser.close()


@pytest.fixture(scope="package")
def chromium():
    """The browser: see `lab.chromium_context`.

    It is closed after the folder that asks for it: Playwright keeps an event loop running as long as it is open,
    and other tests want to start one of their own.
    """
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if find_chromium() is None:
        pytest.skip("no Chromium or Chrome is installed")
    with chromium_context() as context:
        yield context


@contextlib.contextmanager
def another_context(context, **variables: str) -> Iterator:
    """A second browser beside that of a context, which finds other values of some environment variables."""
    kind = context.browser.browser_type
    browser = kind.launch(executable_path=find_chromium(), args=FLAGS, env=os.environ | variables)
    yield browser.new_context()
    browser.close()


def free_port() -> int:
    """A port of the loopback address that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """JupyterLab on a folder of its own, with settings of its own; `close()` ends it."""

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
        """The kernels that run for the notebook `name`."""
        return [session for session in self.ask("sessions") if session["path"] == name]

    def close(self) -> None:
        """End JupyterLab and every kernel that it started."""
        self.process.terminate()
        self.process.wait()


def troubles_of(page, *own: str) -> list[str]:
    """A list that grows with what goes wrong on a page, and with what it asks of addresses that do not begin so."""
    troubles: list[str] = []

    def note(request) -> None:
        if not request.url.startswith((*own, "data:")):
            troubles.append(f"asked for {request.url}")

    page.on("request", note)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    return troubles


# JupyterLab's page takes seconds to load, so it stays open, and one notebook takes the place of another.
CLOSE = "() => [...jupyterapp.shell.widgets('main')].forEach((widget) => widget.dispose())"
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

    def _wait(self, is_true, seconds: float = PATIENCE) -> bool:
        """Whether something became true in so many seconds."""
        deadline = time.monotonic() + seconds
        while not (found := is_true()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        return found

    def _kernel_is_ready(self) -> bool:
        # the page's own mark says "idle" too early, so the server is asked
        kernels = [session["kernel"] for session in self.server.sessions(self.name)]
        return any(kernel["connections"] and kernel["execution_state"] == "idle" for kernel in kernels)

    def _has_begun(self) -> bool:
        prompts = self.page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
        return any(prompt.strip() not in ("", "[ ]:") for prompt in prompts)

    def run_all(self) -> None:
        """Run every cell from the top and wait until the last one has a number.

        The stored outputs are cleared first, so nothing that is then on the page was there before.
        """
        self.menu("Edit", "Clear Outputs of All Cells")
        self.menu("Run", "Run All Cells")
        while not self._wait(self._has_begun, 3):  # a command that comes too early is dropped in silence
            self.menu("Run", "Run All Cells")
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
        """The dark theme, as long as this lasts; the server keeps a theme for the next test."""
        self._theme("JupyterLab Dark", "false")
        try:
            yield
        finally:
            self._theme("JupyterLab Light", "true")

    def _theme(self, name: str, light: str) -> None:
        """Choose a theme, and wait until the curtain that JupyterLab draws meanwhile is gone."""
        self.menu("Settings", "Theme", name)
        self.page.locator(f"body[data-jp-theme-light='{light}']").wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    @contextlib.contextmanager
    def narrow(self):
        """A page as narrow as a telephone's, without the list of files, as long as this lasts."""
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

    def open(self, notebook: str, height: int = 1100) -> Lesson:
        """Open a copy of a lesson."""
        shutil.copy(NOTEBOOKS / notebook, self.server.folder)
        return self.show(notebook, height)

    def write(self, name: str, *cells: str, height: int = 1100) -> Lesson:
        """Open a new notebook `name` that has these code cells."""
        write_lesson(self.server.folder / name, *cells)
        return self.show(name, height)

    def show(self, name: str, height: int, anew: bool = False) -> Lesson:
        """Open a notebook of the server's folder; `anew` in a page that is loaded anew, as on another day."""
        self.page.set_viewport_size({"width": 1280, "height": height})
        self.lessons.append(Lesson(self.server, self.page, name, anew))
        return self.lessons[-1]

    def forget(self) -> None:
        """Close the lesson that is open; nothing went wrong, and nothing was asked of another machine."""
        for lesson in self.lessons:
            lesson.close()
        found = list(self.troubles)
        self.lessons.clear()
        self.troubles.clear()
        assert found == []


class Gallery:
    """Several labs in one notebook, each in a cell of its own, all run once; the first cell only imports."""

    def __init__(self, lesson: Lesson, names: list[str]):
        self.lesson, self.lessons = lesson, [lesson]
        mark = "(outputs, names) => names.forEach((name, place) => outputs[1 + place].setAttribute('data-lab', name))"
        lesson.page.locator(".jp-CodeCell .jp-OutputArea").evaluate_all(mark, names)

    def output(self, name: str):
        """The output of the lab with this name, as a Playwright locator."""
        return self.lesson.page.locator(f"[data-lab='{name}']")


def shot_of(part, name: str) -> None:
    """A picture of a page or of a part of it, to be looked at; only where COINLIB_SHOTS is set, since hundreds take long."""
    if os.environ.get("COINLIB_SHOTS"):
        picture(part, name)


def picture(part, name: str) -> None:
    """A picture of a page or of a part of it, with its small movements done, in tests/screenshots/."""
    part.screenshot(path=SHOTS / f"{name}.png", animations="disabled")


def in_lab(name: str):
    """Marks a test that takes this lab of its file's LABS as `cell`."""
    return pytest.mark.parametrize("cell", [name], indirect=True)


def status(cell):
    """What a lab says of its state."""
    return cell.get_by_role("status").first


def says(cell, *words: str) -> None:
    """Wait until a lab says each of these of its state."""
    for sentence in words:
        expect(status(cell)).to_contain_text(sentence)


def press(cell, *names: str) -> None:
    """Press buttons, one after the other, with the keyboard alone."""
    for name in names:
        button = cell.get_by_role("button", name=name, exact=True)
        expect(button).to_be_enabled()
        button.press("Enter")


TOO_WIDE = """place => [...place.querySelectorAll("*")].filter(part => {
    if (part.getBoundingClientRect().right <= innerWidth + 1) return false;
    for (let box = part.parentElement; box !== place; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== "visible") return false;
    return true;
}).map(part => part.outerHTML.slice(0, 120))"""


def too_wide(place) -> list[str]:
    """What stands to the right of the page without a part of its own in which it can be scrolled."""
    return place.evaluate(TOO_WIDE)


def knob(cell, label: str):
    """The slider with this label."""
    return cell.get_by_role("slider", name=label, exact=True)


def drag_to_the_left_end(handle) -> None:
    """Pull the handle of a slider with the mouse, past its left end."""
    mouse, place = handle.page.mouse, handle.bounding_box()
    middle = place["y"] + place["height"] / 2
    mouse.move(place["x"] + place["width"] / 2, middle)
    mouse.down()
    mouse.move(place["x"] - 400, middle, steps=12)
    mouse.up()
