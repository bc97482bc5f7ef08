"""The games of a tournament: a round robin, round by round."""

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

# Random games that test the user's own game first, so that no entry is blamed for wrong rules.
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
    """Play a round robin, with each entry in its own contained process.

    An illegal move loses the game, as in `play_match`; so does an agent that raises, ends its process or
    takes too long. None of this harms the others or the record. A process that had to be stopped is started
    again, but at most `restarts` times; after that the entry loses its remaining games without being asked.
    Ctrl-C ends the tournament and keeps the games played so far.

    Parameters
    ----------
    entries : str, Path, function, list of these, or dict of names to these
        A folder stands for each Python file in it whose name does not begin with "_"; the agent of a
        file is its ``agent``, otherwise its only function. "random", "careless", "perfect" and the rules in
        `coinlib.agents` are available by name. Functions and learners from a notebook work too.
    scenarios : str, iterable of str, dict of str to Game, or None
        Names from `SCENARIOS`, or games by name, including your own; None for all of `SCENARIOS`.
    games : int
        Games for each pair in each scenario; even, so that both have each seat equally often.
    seed : int or None
        The same seed gives the same games, unless a move nearly exceeds a time limit. Chance without its own
        seed (`random`, `numpy.random`, an agent's `generator`) is seeded for each game. None: a seed is drawn
        and stored in `settings`.
    seconds_per_move : float
        How long a move may take.
    out : str, Path or None
        A folder for the tables; see `Tournament.write`.
    **limits
        ``seconds_to_start=30.0``: the time to load an entry; ``gigabytes=2.0``: its memory, on Unix;
        ``restarts=3``: how often its process may be restarted.

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
        why = "so that both have each seat equally often"
        raise ValueError(f"games: expected an even number, {why}; got {games}")
    allowed = Limits(number_in(seconds_per_move, "seconds_per_move", 1e-3), **limits)
    seeds = np.random.SeedSequence(secrets.randbelow(10**9) if seed is None else whole_number(seed, "seed"))
    own_seeds = [_draw(seeds, 0, number) for number in range(len(listed))]
    contestants = [Contestant(entry, allowed, own_seed, listed) for entry, own_seed in zip(listed, own_seeds)]
    rows, stopped = _play_until_stopped(contestants, table, games, seeds)
    played = _table_of(rows)
    tournament = Tournament(
        games=played,
        entries=tuple(contestant.name for contestant in contestants),
        scenarios=table,
        notes={contestant.name: note for contestant in contestants if (note := contestant.note(played))},
        settings={"seed": seeds.entropy, "games": games, **allowed._asdict()},
        stopped=stopped,
        contained=contained.how_contained(),
    )
    if out is not None:
        tournament.write(out)
    return tournament


def _play_until_stopped(
    contestants: list[Contestant], scenarios: dict[str, Game], games: int, seeds: np.random.SeedSequence
) -> tuple[list[tuple], str]:
    """Return the rows of all games, and "interrupted" if Ctrl-C came after the first of them, otherwise ""."""
    rows: list[tuple] = []
    try:
        for contestant in contestants:
            # An entry that cannot be started gets a second try before its first game, and is then out.
            with contextlib.suppress(NoAnswer):
                contestant.start()
        _play_all(contestants, scenarios, games, seeds, rows)
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
    seeds: np.random.SeedSequence,
    rows: list[tuple],
) -> None:
    """Add a row for each game, round by round, so that a tournament that is stopped early is fair."""
    pairs = list(itertools.combinations(contestants, 2))
    pickles = {name: cloudpickle.dumps(game) for name, game in scenarios.items()}
    with progress_bar(total=games * len(scenarios) * len(pairs), unit="game", delay=1.0) as bar:
        for turn, (name, game), pair in itertools.product(range(games), scenarios.items(), pairs):
            bar.update()
            seats = pair if turn % 2 == 0 else pair[::-1]
            for seat, contestant in enumerate(seats):
                contestant.sit(pickles[name], _draw(seeds, 1 + len(rows), seat))
            # A game between two entries that are out is not played.
            if not all(contestant.out for contestant in pair):
                rows.append(_row(name, seats, play_match(game, *seats)))


def _row(scenario: str, seats: tuple[Contestant, Contestant], match: Match) -> tuple:
    """Return a game as a row of the table, in the order of COLUMNS."""
    names = ("", *match.names)
    forfeit = kind = why = ""
    if match.forfeit is not None:
        # The match only knows that there was no move; the contestant knows why.
        loser = seats[match.forfeit.player - 1]
        forfeit, kind, why = loser.name, loser.kind, loser.words
        match.forfeit = match.forfeit._replace(why=why)
    moves = " ".join(recorded(match.game, move) for move in match.moves)
    ending = (names[match.winner], len(match.moves), forfeit, kind, why, match.reason)
    return scenario, *match.names, *ending, moves


def _table_of(rows: list[tuple]) -> pd.DataFrame:
    """Return the table of games, numbered from 1."""
    import pandas as pd

    return pd.DataFrame(rows, columns=COLUMNS, index=pd.RangeIndex(1, len(rows) + 1, name="game"))


def _draw(seeds: np.random.SeedSequence, *place: int) -> int:
    """Return a seed for one place in the tournament; no other seed can be derived from it."""
    child = np.random.SeedSequence(seeds.entropy, spawn_key=place)
    return int.from_bytes(child.generate_state(4).tobytes(), "little")


def _read_scenarios(asked) -> dict[str, Game]:
    """Return the games by name; the user's own games are tried first."""
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
