"""The `coinlib` command. Each command is one entry of COMMANDS and imports what it needs when it runs."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from . import classroom, coins, greedy, lessons, links, nim, qlearn, sandbox, sticks, tournament
from .talk import Gone, is_terminal


class Command(NamedTuple):
    """What the program knows of one command."""

    summary: str
    example: str  # what may be typed after `coinlib`
    options: Callable[[argparse.ArgumentParser], None]  # says which words may follow
    run: Callable[[argparse.Namespace], None]


COMMANDS = {
    "lab": Command("open the course in JupyterLab", "lab 04", lessons.lab_options, lessons.lab),
    "reset": Command(
        "give back one lesson; what you wrote is kept beside it", "reset 04", lessons.reset_options, lessons.reset
    ),
    "execute": Command(
        "for authors: run notebooks and store them with their outputs",
        "execute 04",
        lessons.execute_options,
        lessons.execute,
    ),
    "links": Command("show where the lessons can be opened on the web", "links", links.options, links.run),
    "student-copy": Command(
        "for teachers: write the lessons without solutions and outputs into a folder",
        "student-copy to-hand-out 04 05",
        classroom.copy_options,
        classroom.copy,
    ),
    "mark": Command(
        "for teachers: judge handed-in notebooks, each in a process of its own",
        "mark handed-in --table marks.csv",
        classroom.mark_options,
        classroom.mark,
    ),
    "sticks": Command(
        "play the Game of Sticks (misère play) with a friend, or with a computer that learns",
        "sticks --show-hats",
        sticks.options,
        sticks.run,
    ),
    "nim": Command(
        "play three piles (normal play) against a computer that never errs", "nim 3 3 7", nim.options, nim.run
    ),
    "coins": Command(
        "play a scenario of The Coin Game, or rows of your own: people, machines or both",
        "coins NIM --first random --second perfect --games 1000",
        coins.options,
        coins.run,
    ),
    "greedy": Command(
        "solve a row of greedy coins, and play it against a computer that never errs",
        "greedy 1 2 4 3",
        greedy.options,
        greedy.run,
    ),
    "qlearn": Command(
        "let a Q-learner learn the game of sticks (misère play), and draw its win rate",
        "qlearn --games 200 --graph wins.png",
        qlearn.options,
        qlearn.run,
    ),
    "serve": Command(
        "let agents of other programs play a scenario (misère play) by the AI Sandbox protocol",
        "serve NIM --port 9000 --games 1000 --opponent perfect",
        sandbox.serve_options,
        sandbox.serve,
    ),
    "join": Command(
        "let an agent play on a server of the AI Sandbox protocol",
        "join --port 9000 --agent my_file.py:my_agent",
        sandbox.join_options,
        sandbox.join,
    ),
    "tournament": Command(
        "let agents from a folder of Python files play everybody against everybody",
        "tournament my-agents random perfect --games 100",
        tournament.options,
        tournament.run,
    ),
}


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (`{self.prog} --help` lists what may stand here)\n")


class _Page(argparse.HelpFormatter):
    """A help page whose paragraphs are filled one by one; lines that begin with blanks stay as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.split("\n")
        return "\n".join(
            line if line.startswith(" ") else super(_Page, self)._fill_text(line, width, indent) for line in lines
        )


def _parser() -> argparse.ArgumentParser:
    from importlib.metadata import version

    parser = _Parser(
        prog="coinlib",
        description="A course in notebooks on how machines learn to win, and its games in the terminal.",
        epilog="Each command has a help of its own: coinlib sticks --help. Ctrl-C leaves a game.",
    )
    parser.add_argument("--version", action="version", version=f"coinlib {version('coinlib')}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        description = command.summary[0].upper() + command.summary[1:] + "."
        page = commands.add_parser(name, help=command.summary, description=description, formatter_class=_Page)
        command.options(page)
        page.epilog = "\n\n".join([*filter(None, [page.epilog]), f"example: coinlib {command.example}"])
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run the `coinlib` command.

    Parameters
    ----------
    words : sequence of str, optional
        What follows `coinlib` on the command line (default: what was typed).

    Returns
    -------
    int
        The exit status: 0 if all went well or the input ended, 2 if something must be mended
        first, 130 after Ctrl-C, 141 if nobody reads what is printed.

    Raises
    ------
    TypeError, ValueError
        If `words` are no words, or far too many.

    Examples
    --------
    >>> main(["reset", "no such lesson"])
    2
    """
    from coincourse.course import CourseError

    if words is not None:
        words = _read_words(words)
    parser = _parser()
    _be_lenient()
    try:
        wanted = parser.parse_args(words)
    except SystemExit as left:  # after --help or a mistyped word; a notebook would show it as an error
        return int(left.code or 0)
    try:
        if wanted.command is None:
            parser.print_help()
        else:
            _run(wanted)
        if sys.stdout is not None:
            sys.stdout.flush()
    except Gone:
        return 0
    except KeyboardInterrupt:
        if is_terminal(sys.stderr):  # where the cursor stands behind ^C
            print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        _be_silent()
        return 141
    except (CourseError, ValueError, OSError, MemoryError) as error:
        complaint = re.sub(r"^\[Errno \d+\] ", "", " ".join(str(error).split()))
        print(f"coinlib {wanted.command}: {complaint}", file=sys.stderr)
        return 2
    return 0


def _read_words(words: Sequence[str]) -> list[str]:
    """The words of a command line, each of them a text."""
    from coinlib.arguments import sequence, shown

    listed = sequence(words, "words", "words such as ['lab', '04']")
    strange = [word for word in listed if not isinstance(word, str)]
    if strange:
        raise TypeError(f"words: expected words such as 'lab', got {shown(strange[0])}")
    return list(map(str, listed))


def _run(wanted: argparse.Namespace) -> None:
    """Run a command; what goes wrong while an agent is asked, and a person is one, is an error like any other."""
    from coinlib.arena import AgentError

    try:
        COMMANDS[wanted.command].run(wanted)
    except AgentError as error:
        cause = error.__cause__
        raise (cause if isinstance(cause, OSError) else ValueError(str(error))) from None


def _be_lenient() -> None:
    """Whatever bytes are typed and whatever the terminal can show: no letter stops a game."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _be_silent() -> None:
    """Print nowhere from now on, so that Python does not complain about the closed pipe as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
