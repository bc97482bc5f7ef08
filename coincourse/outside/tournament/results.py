"""The results of a tournament: tables, ratings, replays, files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coincourse.outside.tournament.contestant import KINDS
from coinlib.arena import wilson
from coinlib.arguments import counted, one_of, shown, whole_number
from coinlib.files import whole_file
from coinlib.games import CoinGame, Game, game_words, has_rows
from coinlib.match import Forfeit, Match
from coinlib.words import short_move

if TYPE_CHECKING:
    import pandas as pd

# The scale of chess ratings: 400 more points mean ten wins for each loss.
AVERAGE = 1500.0
FACTOR = 400.0
COLUMNS = ("scenario", "first", "second", "winner", "turns", "forfeit", "kind", "why", "reason", "moves")
# These columns contain text, even if it looks like a number.
TEXTS = tuple(name for name in COLUMNS if name != "turns")


@dataclass(frozen=True, eq=False)
class Tournament:
    """The results of a tournament.

    Attributes
    ----------
    games : pandas.DataFrame
        A row for each game, numbered from 1: scenario, first and second player, winner ("" for a tie),
        turns; the player who forfeited (or ""), the kind ("illegal", "crash", "timeout") and why; the reason
        for the end of the game, a sentence; and the moves, "0:2 3:1": 2 coins from row 0, then 1 from row 3.
        In a game without rows of coins they are indices into its ``moves``.
    entries : tuple of str
    scenarios : dict of str to Game
    notes : dict of str to str
        What went wrong with an entry as a whole, such as an error when it was loaded.
    settings : dict
        seed, games, seconds_per_move and the other limits: all that is needed to repeat it.
    stopped : str
        "interrupted" after Ctrl-C, otherwise "".
    contained : str
        How each entry's process was contained, and why, if not by bubblewrap.
    """

    games: pd.DataFrame
    entries: tuple[str, ...]
    scenarios: dict[str, Game]
    notes: dict[str, str] = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    stopped: str = ""
    contained: str = ""

    @property
    def standings(self) -> pd.DataFrame:
        """The final table, best first; see `standings_in`."""
        return self.standings_in(None)

    def standings_in(self, scenario: str | None = None) -> pd.DataFrame:
        """Return the table of all games, or of one scenario.

        Parameters
        ----------
        scenario : str or None
            None for all games together.

        Returns
        -------
        pandas.DataFrame
            A row for each entry, best first: games, wins, ties, losses; win_rate and its 95 % Wilson
            interval from low to high, all from 0 to 1; rating; and the games forfeited by an illegal
            move, a crash or a timeout.
        """
        seats = self._seats(scenario)
        names = list(self.entries)
        sums = seats.groupby("entry").sum(numeric_only=True).reindex(names, fill_value=0)
        table = sums[["games", "wins", "ties", "losses"]].copy()
        table["win_rate"] = table["wins"] / table["games"]
        table[["low", "high"]] = np.nan
        for name in table.index[table["games"] > 0]:
            table.loc[name, ["low", "high"]] = wilson(table.loc[name, "wins"], table.loc[name, "games"])
        points = seats.pivot_table("points", "entry", "opponent", "sum").reindex(index=names, columns=names)
        table["rating"] = ratings(points.fillna(0))
        return table.join(sums[[*KINDS]]).sort_values("rating", ascending=False, kind="stable")

    def rates(self, scenario: str | None = None) -> pd.DataFrame:
        """Return the win rate of each row's entry against each column's, as `round_robin` does.

        Parameters
        ----------
        scenario : str or None
            None for all games together.

        Returns
        -------
        pandas.DataFrame, shape (entries, entries + 1)
            From 0 to 1, NaN if they did not meet; the last column is the mean of the row. Best
            first. `plots.round_robin_heatmap` draws it.
        """
        order = list(self.standings_in(scenario).index)
        table = self._seats(scenario).pivot_table("wins", "entry", "opponent")
        table = table.reindex(index=order, columns=order).rename_axis(index=None, columns=None)
        table["mean"] = table.mean(axis=1)
        return table

    def without(self, *names: str) -> Tournament:
        """Return the tournament without some entries: only the games between the others, renumbered from 1.

        Parameters
        ----------
        *names : str
            The entries to leave out.

        Returns
        -------
        Tournament
            Its tables and ratings use these games only.
        """
        for name in names:
            one_of(name, "names", self.entries)
        games = self.games[~self.games["first"].isin(names) & ~self.games["second"].isin(names)].reset_index(drop=True)
        games.index = (games.index + 1).rename("game")
        entries = tuple(name for name in self.entries if name not in names)
        notes = {name: note for name, note in self.notes.items() if name not in names}
        return replace(self, games=games, entries=entries, notes=notes)

    def match(self, number: int) -> Match:
        """Return one game as played, to step through move by move.

        Parameters
        ----------
        number : int
            The number of the game, from 1: the index of `games`.

        Returns
        -------
        Match
        """
        played = self.games.loc[whole_number(number, "number", least=1, most=len(self.games))]
        game = self.scenarios[played["scenario"]]
        if isinstance(game, str):
            with_game = f"read_tournament(folder, {{{played['scenario']!r}: game}})"
            raise TypeError(f"the file contains only the name of the game {game}; write {with_game}")
        match = Match(game, names=(played["first"], played["second"]))
        for words in played["moves"].split():
            match.make(read_recorded(match.game, words))
        # A forfeiting move is not in the record.
        if played["forfeit"]:
            loser = 1 if played["forfeit"] == played["first"] else 2
            match.forfeit = Forfeit(loser, played["forfeit"], match.state, None, played["why"])
            match.winner = 3 - loser
        return match

    def write(self, folder: str | Path) -> list[Path]:
        """Write games.csv, standings.csv, rates.csv and tournament.json to a folder.

        Parameters
        ----------
        folder : str or Path
            Created if it does not exist; existing files with these names are replaced.

        Returns
        -------
        list of Path
            The files. All of them are written before any older file is replaced.
            `read_tournament` reads the folder again.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tables = {"games.csv": self.games, "standings.csv": self.standings, "rates.csv": self.rates()}
        names = ("entries", "notes", "settings", "stopped", "contained")
        facts = {name: getattr(self, name) for name in names}
        facts["scenarios"] = {name: _in_file(game) for name, game in self.scenarios.items()}
        with ExitStack() as all_or_none:
            for name, table in tables.items():
                file = all_or_none.enter_context(whole_file(folder / name))
                table.to_csv(file, encoding="utf-8", lineterminator="\n")
            file = all_or_none.enter_context(whole_file(folder / "tournament.json"))
            file.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return [folder / name for name in (*tables, "tournament.json")]

    def __repr__(self) -> str:
        best = f", first: {self.standings.index[0]}" if len(self.games) else ""
        stopped = f"; {self.stopped}" if self.stopped else ""
        counts = f"{len(self.entries)} entries, {counted(len(self.scenarios), 'scenario')}"
        return f"Tournament({counts}, {len(self.games):,} games{best}{stopped})"

    def _seats(self, scenario: str | None) -> pd.DataFrame:
        """Return each game of a scenario twice, once for each player: a row for an entry and an opponent."""
        import pandas as pd

        games = self.games
        if scenario is not None:
            games = games[games["scenario"] == one_of(scenario, "scenario", tuple(self.scenarios))]
        as_first = games.rename(columns={"first": "entry", "second": "opponent"})
        as_second = games.rename(columns={"first": "opponent", "second": "entry"})
        seats = pd.concat([as_first, as_second])
        won = seats["winner"] == seats["entry"]
        lost = seats["winner"] == seats["opponent"]
        tied = ~(won | lost)
        forfeited_by = seats["kind"].where(seats["forfeit"] == seats["entry"], "")
        kinds = {kind: forfeited_by == kind for kind in KINDS}
        return seats.assign(games=1, wins=won, ties=tied, losses=lost, points=won + tied / 2, **kinds)


def _in_file(game: Game) -> list | str:
    """Return a game for a file: a `CoinGame` as its arguments, any other game as its name."""
    if type(game) is CoinGame:
        return [game.rows, game.max_pick, game.misere]
    return game_words(game)


def recorded(game: Game, move) -> str:
    """Return a move for the record: "3:2" for 2 coins from row 3; without rows, its index in ``game.moves``."""
    if has_rows(game):
        return short_move(move, on_one_row=False)
    return str(list(game.moves).index(move))


def read_recorded(game: Game, words: str):
    """Return the move for a text made by `recorded`."""
    if has_rows(game):
        row, count = words.split(":")
        return int(row), int(count)
    return game.moves[int(words)]


def read_tournament(folder: str | Path, scenarios: Mapping[str, Game] | None = None) -> Tournament:
    """Read a tournament that `Tournament.write` or ``coinlib tournament --out`` has written.

    Parameters
    ----------
    folder : str or Path
    scenarios : dict of str to Game, optional
        Your own games, which `Tournament.match` needs; the file contains only their names.

    Returns
    -------
    Tournament
    """
    import pandas as pd

    folder = Path(folder)
    facts = json.loads((folder / "tournament.json").read_text(encoding="utf-8"))
    types = dict.fromkeys(TEXTS, str)
    games = pd.read_csv(folder / "games.csv", index_col="game", keep_default_na=False, dtype=types)
    given = scenarios or {}
    for name, rules in facts["scenarios"].items():
        played = CoinGame(*rules) if isinstance(rules, list) else rules
        game = given.get(name, played)
        if played not in (game, game_words(game)):
            raise ValueError(f"scenarios: {name!r} was played in {played}; got {shown(game)}")
        facts["scenarios"][name] = game
    facts["entries"] = tuple(facts["entries"])
    return Tournament(games, **facts)


def ratings(wins) -> np.ndarray:
    """Return ratings by the Bradley-Terry model, on the chess rating scale.

    In the model, an entry rated 400 points above another wins ten games for each one it loses. The
    ratings are those under which the results are most likely; the order of the games does not matter.
    Each entry gets one extra game, a tie with an average player rated 1,500, so that even an entry that
    wins everything has a rating.

    Parameters
    ----------
    wins : array, shape (n, n)
        ``wins[i, j]``: how often i beat j; a tie is half a win for both.

    Returns
    -------
    float64 array, shape (n,)
        Rounded to a tenth of a point.

    References
    ----------
    R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952); found by Newton's
    method, since the logarithm of the likelihood is concave.

    Examples
    --------
    >>> ratings([[0, 1000], [100, 0]]).tolist()
    [1699.8, 1300.2]
    """
    wins = np.asarray(wins, dtype=float)
    met = wins + wins.T
    points = wins.sum(axis=1)
    strength = np.zeros(len(wins))  # logarithms; the average player has 0
    for _ in range(200):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        average = 1 / (1 + np.exp(-strength))
        slope = points - (met * expected).sum(axis=1) + 0.5 - average
        bend = met * expected * (1 - expected)
        curve = np.diag(bend.sum(axis=1) + average * (1 - average)) - bend
        step = np.linalg.solve(curve, slope)
        # A step of more than 1 could overshoot.
        strength += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-9:
            break
    return np.round(AVERAGE + FACTOR / np.log(10) * strength, 1)
