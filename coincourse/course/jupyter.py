"""Runs JupyterLab, opened at a lesson with the course's settings, until it is stopped."""

import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from coincourse.course.copies import own_folder
from coincourse.course.places import CourseError
from coincourse.course.progress import FOLDER

# Variables set for other programs. With them JupyterLab or Matplotlib shows nothing, or looks different from the
# lessons; with PYTHONOPTIMIZE a student's `assert` and `help` do nothing.
FOREIGN = ("JUPYTERLAB_DIR", "MATPLOTLIBRC", "MPLBACKEND", "PYTHONOPTIMIZE")
SETTINGS = Path(__file__).resolve().parent.parent / "jupyter"  # see lab_environment


def open_lab(
    root: Path, lesson: str, port: int | None = None, browser: bool = True, copies: Path | None = None
) -> None:
    """Run JupyterLab until it is stopped.

    The other parameters are those of `lab_command`.

    Parameters
    ----------
    copies : Path, optional
        The folder with the copies, where the student's progress is stored too (default: it is not stored).
    """
    # The loops are compiled in another process while the student reads lesson 00. With -P no file in the current
    # folder, such as a student's own random.py, can replace a Python module.
    compile_loops = [sys.executable, "-P", "-c", "from coincourse.course import compile_ahead; compile_ahead()"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(compile_loops, stdin=nowhere, stdout=nowhere, stderr=nowhere) as compiling:
        status = _run_until_stopped(lab_command(root, lesson, port, browser), lab_environment(copies), root)
        compiling.terminate()
    if status not in (0, -signal.SIGTERM):
        raise CourseError(f"JupyterLab could not start or stopped with an error (status {status}); see above.")


def lab_command(root: Path, lesson: str, port: int | None = None, browser: bool = True) -> list[str]:
    """Return the command that starts JupyterLab at a lesson.

    Parameters
    ----------
    root : Path
        The folder that JupyterLab shows, in which its terminals start too.
    lesson : str
        The notebook to open, relative to `root`, with forward slashes.
    port : int, optional
        The port to listen on (default: the first free one, starting at 8888).
    browser : bool
        Whether JupyterLab opens the browser itself.
    """
    command = [sys.executable, "-P", "-m", "jupyterlab", "--Application.log_level=ERROR"]
    command += [f"--ServerApp.root_dir={root}", f"--LabApp.default_url=/lab/tree/{lesson}"]
    command.append("--allow-root")  # Otherwise Jupyter refuses to run as root, as in many containers.
    if port:
        command += [f"--port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        command.append("--no-browser")
    return command


def lab_environment(copies: Path | None = None) -> dict[str, str]:
    """Return our environment, with the course's settings and extension for JupyterLab added.

    The settings (no news, no questions about updates, Markdown as a page) are defaults: students' own choices in JupyterLab
    override them. The kernel is Jupyter's own, but logs only errors: its warning about encryption frightens
    beginners, and means nothing on one computer. The extension names figures and sliders for screen readers, and lets a lab
    handle the keys pressed in it. The kernels are told where to store a student's progress.
    Settings for other programs (`FOREIGN`) are left out. A terminal in JupyterLab finds `coinlib` even if its
    environment is not active.
    """
    environment = dict(os.environ)
    for name in (FOLDER, *FOREIGN):
        environment.pop(name, None)
    if copies:
        environment[FOLDER] = str(copies)
    environment["PATH"] = os.pathsep.join(filter(None, (sysconfig.get_path("scripts"), os.environ.get("PATH"))))
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"):
        folders = (str(SETTINGS), os.environ.get(name))
        environment[name] = os.pathsep.join(filter(None, folders))
    return environment


def _run_until_stopped(command: list[str], environment: dict[str, str], folder: Path) -> int:
    """Run a program in a folder until it ends or is stopped, by Ctrl-C or by a signal sent to us; return its status."""
    with tempfile.TemporaryDirectory(prefix="coinlib-", ignore_cleanup_errors=True) as new_home:
        if own_folder() is None:
            # Without a writable folder Jupyter, IPython and Matplotlib complain or do not start.
            environment = environment | {"HOME": new_home, "USERPROFILE": new_home}
        process = subprocess.Popen(command, env=environment, cwd=folder)

        def leave_it_to_the_program(*_) -> None:
            """Do nothing: the program receives Ctrl-C too, and asks whether to stop."""

        def stop_the_program(*_) -> None:
            process.terminate()

        answers = {signal.SIGINT: leave_it_to_the_program, signal.SIGTERM: stop_the_program}
        before = {number: signal.signal(number, answer) for number, answer in answers.items()}
        status = process.wait()
        for number, answer in before.items():
            signal.signal(number, answer)
    return status


def compile_ahead() -> None:
    """Compile the loops that the lessons need and cache them on disk, so that no cell has to wait for it."""
    from coinlib import QLearner, RandomAgent, sticks, train
    from coinlib.projects import periods
    from coinlib.solvers import greedy_margin, minimax, solve, solve_greedy

    game = sticks(3)
    train(QLearner(game), RandomAgent(), games=1, seed=1)
    minimax(game)
    solve(game)
    solve_greedy([1, 2])
    greedy_margin([1, 2])
    periods.period({1}, misere=False)
    periods.splitting_values(3)
