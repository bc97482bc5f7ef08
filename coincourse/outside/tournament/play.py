"""Everybody against everybody: the games themselves."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

import cloudpickle
import numpy as np

from coincourse.outside import contained
from coincourse.outside.tournament.entries import read_entries
from coincourse.outside.tournament.player import Limits, Player
from coincourse.outside.tournament.results import COLUMNS, Tournament, move_words
from coinlib import progress
from coinlib.agents import RandomAgent
from coinlib.arguments import number_in, one_of, whole_number
from coinlib.games import SCENARIOS, Game, read_game
from coinlib.match import Match, play_match

# at random, before the first of a game of one's own: wrong rules are no fault of an entry
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
    import pandas as pd

    listed, table = read_entries(entries), _read_scenarios(scenarios)
    games = whole_number(games, "games", least=2)
    if games % 2:
        raise ValueError(f"games: expected an even number, so that both sit in each seat equally often; got {games}")
    asked = Limits(number_in(seconds_per_move, "seconds_per_move", 1e-3), **limits)
    luck = np.random.SeedSequence(secrets.randbelow(10**9) if seed is None else whole_number(seed, "seed"))
    players = [Player(entry, asked, _draw(luck, 0, number), listed) for number, entry in enumerate(listed)]
    rows: list[tuple] = []
    stopped = ""
    try:
        for player in players:
            player.start()
        _play_all(players, table, games, luck, rows)
    except KeyboardInterrupt:
        if not rows:
            raise
        stopped = "interrupted"
    finally:
        for player in players:
            player.stop()
    played = pd.DataFrame(rows, columns=COLUMNS, index=pd.RangeIndex(1, len(rows) + 1, name="game"))
    notes = {player.name: note for player in players if (note := player.note(played))}
    names = tuple(player.name for player in players)
    settings = {"seed": luck.entropy, "games": games, **asked._asdict()}
    tournament = Tournament(played, names, table, notes, settings, stopped, contained.in_words())
    if out is not None:
        tournament.write(out)
    return tournament


def _play_all(players: list[Player], scenarios: dict[str, Game], games: int, luck, rows: list[tuple]) -> None:
    """All games; round by round, so that a tournament that is stopped early is still a fair one."""
    pairs = list(itertools.combinations(players, 2))
    pickles = {name: cloudpickle.dumps(game) for name, game in scenarios.items()}
    with progress.progress_bar(total=games * len(scenarios) * len(pairs), unit="game", delay=1.0) as bar:
        for turn, (name, game), pair in itertools.product(range(games), scenarios.items(), pairs):
            bar.update()
            seats = pair if turn % 2 == 0 else pair[::-1]
            for seat, player in enumerate(seats):
                player.sit(pickles[name], _draw(luck, 1 + len(rows), seat))
            # between two that cannot play nobody wins
            if not all(player.out for player in pair):
                rows.append(_row(name, seats, play_match(game, *seats)))


def _row(scenario: str, seats: tuple[Player, Player], match: Match) -> tuple:
    """One game as a row of the table."""
    players = "", *match.names
    winner, forfeit = players[match.winner], players[match.forfeit]
    kind, reason = "", match.reason
    if forfeit:
        loser = seats[match.forfeit - 1]
        kind, reason = loser.kind, f"player {match.forfeit} forfeits: {loser.words}"
    moves = " ".join(move_words(match.game, move) for move in match.moves)
    return scenario, *match.names, winner, len(match.moves), forfeit, kind, reason, moves


def _draw(luck: np.random.SeedSequence, *place: int) -> int:
    """A seed for one place in the tournament; it tells nothing of the seeds of other places."""
    child = np.random.SeedSequence(luck.entropy, spawn_key=place)
    return int.from_bytes(child.generate_state(4).tobytes(), "little")


def _read_scenarios(asked) -> dict[str, Game]:
    asked = SCENARIOS if asked is None else asked
    if not isinstance(asked, Mapping):
        names = [asked] if isinstance(asked, str) else asked
        return {name: SCENARIOS[one_of(name, "scenarios", tuple(SCENARIOS))] for name in names}
    games, chance = {name: read_game(game) for name, game in asked.items()}, RandomAgent(seed=1)
    for game, _ in itertools.product(games.values(), range(TRIAL_GAMES)):
        play_match(game, chance, chance)
    return games
