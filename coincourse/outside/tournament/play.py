"""Everybody against everybody: the games themselves."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import numpy as np

from coincourse.outside import contained
from coincourse.outside.tournament.entries import packed, read_entries
from coincourse.outside.tournament.player import CRASH, ILLEGAL, Limits, Player
from coincourse.outside.tournament.results import COLUMNS, Tournament, move_words
from coinlib import loops
from coinlib.agents import RandomAgent
from coinlib.arena import Match, play_match
from coinlib.arguments import counted, one_of, sequence, whole_number
from coinlib.games import SCENARIOS, Game, read_game

TRIAL_GAMES = 100  # at random, before the first of a game of one's own: wrong rules are no fault of an entry


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
    listed, table = read_entries(entries), _read_scenarios(scenarios)
    games = whole_number(games, "games", least=2)
    if games % 2:
        raise ValueError(f"games: expected an even number, so that both sit in each seat equally often; got {games}")
    asked = Limits(seconds_per_move, **limits)
    luck = np.random.SeedSequence(secrets.randbelow(10**9) if seed is None else whole_number(seed, "seed"))
    players = [Player(entry, asked, _draw(luck, 0, number), listed) for number, entry in enumerate(listed)]
    rows: list[tuple] = []
    stopped = ""
    try:
        with ExitStack() as stack:
            pool = ThreadPoolExecutor(len(players))
            stack.callback(pool.shutdown, cancel_futures=True)
            for player in players:
                player.launch()  # not in the pool: a process ends with the thread that started it
                stack.callback(player.stop)
            list(pool.map(Player.load, players))
            _play_all(players, table, games, luck, rows)
    except KeyboardInterrupt:
        if not rows:
            raise
        stopped = "interrupted"
    settings = {"seed": luck.entropy, "games": games, **asdict(asked)}
    tournament = _tournament(rows, players, table, settings, stopped)
    if out is not None:
        tournament.write(out)
    return tournament


def _play_all(players: list[Player], scenarios: dict[str, Game], games: int, luck, rows: list[tuple]) -> None:
    """All games; round by round, so that a tournament that is stopped early is still a fair one."""
    pairs = list(itertools.combinations(players, 2))
    letters = {name: packed(game, f"scenarios: {name}") for name, game in scenarios.items()}
    with loops.progress_bar(total=games * len(scenarios) * len(pairs), unit="game", delay=1.0) as bar:
        for turn, (name, game), pair in itertools.product(range(games), scenarios.items(), pairs):
            bar.update()
            if all(player.out for player in pair):
                continue  # between two that cannot play nobody wins
            seats = pair if turn % 2 == 0 else pair[::-1]
            for seat, player in enumerate(seats):
                player.prepare(letters[name], _draw(luck, 1 + len(rows), seat))
            rows.append(_row(name, seats, play_match(game, *seats)))


def _row(scenario: str, seats: tuple[Player, Player], match: Match) -> tuple:
    """One game as a row of the table."""
    players = "", *match.names
    winner, forfeit = players[match.winner], players[match.forfeit]
    kind, reason = "", match.reason
    if match.forfeit:
        loser = seats[match.forfeit - 1]
        kind, reason = loser.kind, f"player {match.forfeit} forfeits: {loser.words}"
    moves = " ".join(move_words(match.game, move) for move in match.moves)
    return scenario, *match.names, winner, len(match.moves), forfeit, kind, reason, moves


def _tournament(rows, players: list[Player], scenarios, settings: dict, stopped: str) -> Tournament:
    import pandas as pd

    index = pd.RangeIndex(1, len(rows) + 1, name="game")
    table = pd.DataFrame(rows, columns=list(COLUMNS), index=index)
    names = tuple(player.name for player in players)
    notes = {
        player.name: "; ".join(filter(None, (player.note(), *(_first(player, table, kind) for kind in LOST))))
        for player in players
    }
    notes = {name: words for name, words in notes.items() if words}
    return Tournament(table, names, scenarios, notes, settings, stopped, contained.in_words())


LOST = {
    ILLEGAL: lambda games: counted(games, "illegal move"),
    CRASH: lambda games: f"{counted(games, 'game')} lost by a crash",
}


def _first(player: Player, table, kind: str) -> str:
    """How many games a player has lost in this way, and the first of them in words; "" for none."""
    lost = table[(table["forfeit"] == player.name) & (table["kind"] == kind)]
    if lost.empty or (kind == CRASH and player.out):  # of one that is out `note` says why
        return ""
    _, _, words = lost["reason"].iloc[0].partition(": ")
    return f"{LOST[kind](len(lost))}, the first in game {lost.index[0]}: {words}"


def _draw(luck: np.random.SeedSequence, *place: int) -> int:
    """A seed for one place in the tournament; it tells nothing of the seeds of other places."""
    child = np.random.SeedSequence(luck.entropy, spawn_key=place)
    return int.from_bytes(child.generate_state(4).tobytes(), "little")


def _read_scenarios(asked) -> dict[str, Game]:
    if asked is None:
        return dict(SCENARIOS)
    if isinstance(asked, Mapping):
        games, chance = {name: read_game(game) for name, game in asked.items()}, RandomAgent(seed=1)
        for game in games.values():
            for _ in range(TRIAL_GAMES):
                play_match(game, chance, chance)
        return games
    wanted = "names of scenarios, or games by name, as in {'mine': game}"
    names = [asked] if isinstance(asked, str) else sequence(asked, "scenarios", wanted)
    return {name: SCENARIOS[one_of(name, "scenarios", tuple(SCENARIOS))] for name in names}
