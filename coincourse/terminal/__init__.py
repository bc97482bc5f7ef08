"""The `coinlib` command. Each command is one entry of COMMANDS and imports what is slow when it runs."""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from itertools import starmap

from . import classroom, coins, greedy, lessons, nim, qlearn, sandbox, sticks, tournament
from .talk import Page

COMMANDS = {  # a function whose parameters may follow, and what may be typed after `coinlib`
    "lab": (lessons.lab, "lab 04"),
    "reset": (lessons.reset, "reset 04"),
    "execute": (lessons.execute, "execute 04"),
    "student-copy": (classroom.copy, "student-copy to-hand-out 04 05"),
    "mark": (classroom.mark, "mark handed-in --into marks"),
    "sticks": (sticks.run, "sticks --show-hats"),
    "nim": (nim.run, "nim 3 3 7"),
    "coins": (coins.run, "coins NIM --first random --second perfect --games 1000"),
    "greedy": (greedy.run, "greedy 1 2 4 3"),
    "qlearn": (qlearn.run, "qlearn --games 200 --graph wins.png"),
    "serve": (sandbox.serve, "serve NIM --port 9000 --games 1000 --opponent perfect"),
    "join": (sandbox.join, "join --port 9000 --agent my_file.py:my_agent"),
    "tournament": (tournament.run, "tournament my-agents random perfect --games 100"),
}


def _parser() -> Page:
    from importlib.metadata import version

    parser = Page(
        prog="coinlib",
        description="A course in notebooks on how machines learn to win, and its games in the terminal.",
        epilog="Each command has a help of its own: coinlib sticks --help. Ctrl-C leaves a game.",
    )
    parser.add_argument("--version", action="version", version=f"coinlib {version('coinlib')}")
    parser.set_defaults(run=parser.print_help, page=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, (run, example) in COMMANDS.items():
        described, _, _ = inspect.getdoc(run).partition("\n\nParameters\n")
        summary = described.partition("\n")[0]
        page = commands.add_parser(name, help=summary[0].lower() + summary[1:].rstrip("."), description=described)
        page.read_off(run)
        page.epilog = "\n\n".join([*starmap(_listed, page.names.items()), f"example: coinlib {example}"])
        page.set_defaults(run=run, page=page)
    return parser


def _listed(noun: str, names: Mapping[str, str]) -> str:
    width = max(map(len, names))
    return "\n".join([f"{noun}s:", *(f"  {name:<{width}}  {meaning}" for name, meaning in names.items())])


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
        first, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["reset", "no such lesson"])
    2
    """
    from coincourse.course import CourseError
    from coinlib.match import AgentError
    from coinlib.series import AgentWarning

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # whatever is typed and can be shown: no letter stops a game
    try:
        wanted, unknown = _parser().parse_known_args(words)
        run, page = vars(wanted).pop("run"), vars(wanted).pop("page")
        if unknown:
            page.error(f"unrecognized arguments: {' '.join(unknown)}")
        with warnings.catch_warnings():  # Ctrl-C ends the program, and not only a learner's practice
            warnings.filterwarnings("error", "stopped after .*: interrupted", AgentWarning)
            run(**vars(wanted))
    except SystemExit as left:  # after --help, a mistyped word or the last answer; a notebook would show it as an error
        return int(left.code or 0)
    except (KeyboardInterrupt, AgentWarning):
        print(file=sys.stderr)  # the cursor stands behind ^C
        return 130
    except (CourseError, AgentError, ValueError, OSError, MemoryError) as error:
        complaint = re.sub(r"^\[Errno \d+\] ", "", " ".join(str(error).split()))
        print(f"{page.prog}: {complaint}", file=sys.stderr)
        return 2
    return 0
