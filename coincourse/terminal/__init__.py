"""The `coinlib` command. Each command is one entry of COMMANDS and imports what is slow when it runs."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Sequence

from . import classroom, coins, greedy, lessons, nim, qlearn, sandbox, sticks, tournament
from .talk import Page, is_terminal

COMMANDS = {  # what each does, what says which words may follow, and what may be typed after `coinlib`
    "lab": (lessons.lab, lessons.lab_options, "lab 04"),
    "reset": (lessons.reset, lessons.reset_options, "reset 04"),
    "execute": (lessons.execute, lessons.execute_options, "execute 04"),
    "student-copy": (classroom.copy, classroom.copy_options, "student-copy to-hand-out 04 05"),
    "mark": (classroom.mark, classroom.mark_options, "mark handed-in --into marks"),
    "sticks": (sticks.run, sticks.options, "sticks --show-hats"),
    "nim": (nim.run, nim.options, "nim 3 3 7"),
    "coins": (coins.run, coins.options, "coins NIM --first random --second perfect --games 1000"),
    "greedy": (greedy.run, greedy.options, "greedy 1 2 4 3"),
    "qlearn": (qlearn.run, qlearn.options, "qlearn --games 200 --graph wins.png"),
    "serve": (sandbox.serve, sandbox.serve_options, "serve NIM --port 9000 --games 1000 --opponent perfect"),
    "join": (sandbox.join, sandbox.join_options, "join --port 9000 --agent my_file.py:my_agent"),
    "tournament": (tournament.run, tournament.options, "tournament my-agents random perfect --games 100"),
}


def _parser() -> Page:
    from importlib.metadata import version

    parser = Page(
        prog="coinlib",
        description="A course in notebooks on how machines learn to win, and its games in the terminal.",
        epilog="Each command has a help of its own: coinlib sticks --help. Ctrl-C leaves a game.",
    )
    parser.add_argument("--version", action="version", version=f"coinlib {version('coinlib')}")
    parser.set_defaults(run=lambda wanted: parser.print_help(), page=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, (run, options, example) in COMMANDS.items():
        summary = inspect.getdoc(run)
        page = commands.add_parser(name, help=summary[0].lower() + summary[1:].rstrip("."), description=summary)
        options(page)
        page.epilog = "\n\n".join([*filter(None, [page.epilog]), f"example: coinlib {example}"])
        page.set_defaults(run=run, page=page)
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

    Examples
    --------
    >>> main(["reset", "no such lesson"])
    2
    """
    from coincourse.course import CourseError
    from coinlib.arena import AgentError

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # whatever is typed and can be shown: no letter stops a game
    try:
        wanted, unknown = _parser().parse_known_args(words)
        if unknown:
            wanted.page.error(f"unrecognized arguments: {' '.join(unknown)}")
        wanted.run(wanted)
        sys.stdout.flush()
    except SystemExit as left:  # after --help, a mistyped word or the last answer; a notebook would show it as an error
        return int(left.code or 0)
    except KeyboardInterrupt:
        if is_terminal(sys.stderr):  # where the cursor stands behind ^C
            print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would complain as it ends
        return 141
    except (CourseError, AgentError, ValueError, OSError, MemoryError) as error:
        complaint = re.sub(r"^\[Errno \d+\] ", "", " ".join(str(error).split()))
        print(f"{wanted.page.prog}: {complaint}", file=sys.stderr)
        return 2
    return 0
