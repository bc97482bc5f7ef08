"""Everybody against everybody: the games themselves, round by round."""

from __future__ import annotations

import contextlib
import itertools
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import cloudpickle
import numpy as np

from coincourse.outside import contained
from coincourse.outside.contained import NoAnswer
from coincourse.outside.tournament.contestant import Contestant, Limits
from coincourse.outside.tournament.entries import read_entries
from coincourse.outside.tournament.results import COLUMNS, Tournament, recorded
from coinlib.agents import RandomAgent
from coinlib.arguments import number_in, one_of, whole_number
from coinlib.games import SCENARIOS, Game, as_game
from coinlib.match import Match, play_match
from coinlib.series import progress_bar

if TYPE_CHECKING:
    import pandas as pd

# A game of one's own is first played so often at random: wrong rules are no fault of an entry.
TRIAL_GAMES = 100


def run_tournament(
    entries,
    scenarios: str | Iterable[str] | Mapping[str, Game] | None = None,
    games: int = 100,
    seed: int | None = None,
    seconds_per_move: float = 1.0,
    *,
    out: str | Path | None = None,
    **limits,
) -> Tournament:
    """Let everybody play everybody, each entry in a contained process of its own.

    A move that is not legal loses the game, as in `play_match`; so does an agent that raises, that ends
    its process, or that takes too long. The others and the record are not harmed by any of these. Each
    process is started anew after it had to be stopped, but not more than `restarts` times; after that the
    entry loses its remaining games without being asked. Ctrl-C ends the tournament and keeps what was
    played.

    Parameters
    ----------
    entries : str, Path, function, list of these, or dict of names to these
        A folder stands for each Python file in it whose name does not begin with "_"; the agent of a
        file is what it calls ``agent``, otherwise its only function. "random", "careless", "perfect" and
        the rules of `coinlib.agents` are there by name. Functions and learners of a notebook will do too.
    scenarios : str, iterable of str, dict of str to Game, or None
        Names of `SCENARIOS`, or games by name, also of your own; None for all of `SCENARIOS`.
    games : int
        Games of each pair in each scenario; even, so that both sit in each seat equally often.
    seed : int or None
        The same seed, the same games, as long as nobody comes near a time limit. Chance without a seed of
        its own (`random`, `numpy.random`, an agent's `generator`) is seeded for each game. None: one is
        drawn, and stands in `settings`.
    seconds_per_move : float
        How long a move may take.
    out : str, Path or None
        A folder for the tables; see `Tournament.write`.
    **limits
        ``seconds_to_start=30.0``: how long it may take to load an entry; ``gigabytes=2.0``: how much memory
        it may use, on Unix; ``restarts=3``: how often its process is started again.

    Returns
    -------
    Tournament
        Its `contained` says how the processes were contained.

    Examples
    --------
    >>> tournament = run_tournament(["random", "perfect"], "SINGLE_21_2", games=10, seed=1)
    >>> tournament.standings[["games", "wins", "illegal"]]
             games  wins  illegal
    entry
    perfect     10    10        0
    random      10     0        0
    >>> tournament.match(1)
    Match(random against perfect: player 1 took the last coin and loses (misère play))
    """
    listed = read_entries(entries)
    table = _read_scenarios(scenarios)
    games = whole_number(games, "games", least=2)
    if games % 2:
        why = "so that both sit in each seat equally often"
        raise ValueError(f"games: expected an even number, {why}; got {games}")
    allowed = Limits(number_in(seconds_per_move, "seconds_per_move", 1e-3), **limits)
    luck = np.random.SeedSequence(secrets.randbelow(10**9) if seed is None else whole_number(seed, "seed"))
    seeds = [_draw(luck, 0, number) for number in range(len(listed))]
    contestants = [Contestant(entry, allowed, own, listed) for entry, own in zip(listed, seeds)]
    rows, stopped = _play_until_stopped(contestants, table, games, luck)
    played = _table_of(rows)
    tournament = Tournament(
        games=played,
        entries=tuple(contestant.name for contestant in contestants),
        scenarios=table,
        notes={contestant.name: note for contestant in contestants if (note := contestant.note(played))},
        settings={"seed": luck.entropy, "games": games, **allowed._asdict()},
        stopped=stopped,
        contained=contained.in_words(),
    )
    if out is not None:
        tournament.write(out)
    return tournament


def _play_until_stopped(
    contestants: list[Contestant], scenarios: dict[str, Game], games: int, luck: np.random.SeedSequence
) -> tuple[list[tuple], str]:
    """The rows of all games, and "interrupted" where Ctrl-C came after the first of them, otherwise ""."""
    rows: list[tuple] = []
    try:
        for contestant in contestants:
            # One that cannot be started is started again when it first sits down, and is then out.
            with contextlib.suppress(NoAnswer):
                contestant.start()
        _play_all(contestants, scenarios, games, luck, rows)
    except KeyboardInterrupt:
        if not rows:
            raise
        return rows, "interrupted"
    finally:
        for contestant in contestants:
            contestant.stop()
    return rows, ""


def _play_all(
    contestants: list[Contestant],
    scenarios: dict[str, Game],
    games: int,
    luck: np.random.SeedSequence,
    rows: list[tuple],
) -> None:
    """Add a row for each game; round by round, so that a tournament which is stopped early is fair."""
    pairs = list(itertools.combinations(contestants, 2))
    pickles = {name: cloudpickle.dumps(game) for name, game in scenarios.items()}
    with progress_bar(total=games * len(scenarios) * len(pairs), unit="game", delay=1.0) as bar:
        for turn, (name, game), pair in itertools.product(range(games), scenarios.items(), pairs):
            bar.update()
            seats = pair if turn % 2 == 0 else pair[::-1]
            for seat, contestant in enumerate(seats):
                contestant.sit(pickles[name], _draw(luck, 1 + len(rows), seat))
            # Between two that cannot play nobody wins.
            if not all(contestant.out for contestant in pair):
                rows.append(_row(name, seats, play_match(game, *seats)))


def _row(scenario: str, seats: tuple[Contestant, Contestant], match: Match) -> tuple:
    """A game as a row of the table, in the order of COLUMNS."""
    names = ("", *match.names)
    forfeit = kind = why = ""
    if match.forfeit is not None:
        # The match has heard of no move; the contestant knows why there was none.
        loser = seats[match.forfeit.player - 1]
        forfeit, kind, why = loser.name, loser.kind, loser.words
        match.forfeit = match.forfeit._replace(why=why)
    moves = " ".join(recorded(match.game, move) for move in match.moves)
    ending = (names[match.winner], len(match.moves), forfeit, kind, why, match.reason)
    return scenario, *match.names, *ending, moves


def _table_of(rows: list[tuple]) -> pd.DataFrame:
    """The table of games, which are numbered from 1."""
    import pandas as pd

    return pd.DataFrame(rows, columns=COLUMNS, index=pd.RangeIndex(1, len(rows) + 1, name="game"))


def _draw(luck: np.random.SeedSequence, *place: int) -> int:
    """A seed for one place in the tournament; it tells nothing of the seeds of other places."""
    child = np.random.SeedSequence(luck.entropy, spawn_key=place)
    return int.from_bytes(child.generate_state(4).tobytes(), "little")


def _read_scenarios(asked) -> dict[str, Game]:
    """The games that are meant, by name; a game of one's own is tried first."""
    if asked is None:
        return dict(SCENARIOS)
    if isinstance(asked, str):
        asked = [asked]
    if not isinstance(asked, Mapping):
        return {name: SCENARIOS[one_of(name, "scenarios", tuple(SCENARIOS))] for name in asked}
    games = {name: as_game(game) for name, game in asked.items()}
    chance = RandomAgent(seed=1)
    for game in games.values():
        for _ in range(TRIAL_GAMES):
            play_match(game, chance, chance)
    return games
