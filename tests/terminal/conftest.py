"""What the tests of the programs share."""

import io

import pytest

from coincourse.terminal import main


@pytest.fixture
def play(monkeypatch, capsys):
    """Run a command in this process with answers, then the end of the input: what it printed, and its status."""

    def run(words: str, *answers: str) -> tuple[str, int]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        status = main(words.split())
        screen = capsys.readouterr()
        return screen.out + screen.err, status

    return run
