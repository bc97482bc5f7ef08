"""A board to play on: rows of coins to click, an opponent that answers, and words for all of it.

Python decides everything (`games`, the agents, the solver) and writes every word. The script in
`board.js` draws what `Board.view` holds and reports what was clicked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from coinlib import named
from coinlib.arena import Match
from coinlib.arguments import counted, number_in, shown
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, Move, State, coin_game, read_move

from .asked import read_controls

HERE = Path(__file__).parent
CONTROLS = ("scenario", "ending", "opponent", "start", "hints", "undo", "new game")
OPPONENTS = {name: named.AGENTS[named.spelled(name)].words for name in ("random", "take one", "perfect")}
OPPONENTS["person"] = "another person"
ROWS_AT_MOST, COINS_AT_MOST = 20, 200  # more could be played, but nobody could see it
LONGEST_DELAY = 60
COIN, GONE = "#D55E00", "#767676"  # both readable on white and on black


class Board(anywidget.AnyWidget):
    """A board in the notebook: click coins, and the other side answers.

    A first click on a coin marks it and all coins to its right; the button, or a second click,
    takes them. Each step can be made from Python as well, without a browser.

    Parameters
    ----------
    game : CoinGame or str
        What is played, or the name of a scenario. At most 20 rows of at most 200 coins.
    opponent : str or agent
        "random", "take one", "perfect", "person" (two people at one board), or any function
        from ``(game, state)`` to a move.
    you_start : bool
        Who makes the first move of each game.
    hints : bool
        Whether the moves that win against perfect play are marked.
    controls : bool or iterable of str
        True for all of `CONTROLS`, False for none, or the names of those to show.
    seed : int or None
        For the built-in opponents that draw at random.
    delay : float
        Seconds between your move and the answer, on the screen only.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above.

    Examples
    --------
    >>> board = Board(CoinGame((4,), max_pick=3), opponent=lambda game, state: 1)
    >>> board.take(0, 2)
    >>> board.message
    'Computer takes 1 coin. Your turn.'
    >>> board.take(0, 2)
    >>> board.message
    'You asked for 2 coins. From row 0 you can take 1. Your turn.'
    >>> board.take(0, 1)
    >>> board.message
    'You take the last coin. Misère play: who takes the last coin loses. Computer wins.'
    """

    _esm = (HERE / "board.js").read_text(encoding="utf-8")
    _css = (HERE / "board.css").read_text(encoding="utf-8")

    game = traitlets.Any()
    opponent = traitlets.Any()
    you_start = traitlets.Bool(True)
    hints = traitlets.Bool(False)
    view = traitlets.Dict(help="all that the script draws").tag(sync=True)

    def __init__(
        self,
        game: CoinGame | str = "SINGLE_21_3",
        opponent: str | Callable = "random",
        you_start: bool = True,
        hints: bool = False,
        controls: bool | Iterable[str] = True,
        seed: int | None = None,
        delay: float = 0.8,
    ) -> None:
        self._controls = frozenset(read_controls(controls, CONTROLS))
        np.random.default_rng(seed)  # says at once when it is none
        self._seed, self._delay = seed, _read_delay(delay)
        self._agents: dict[str, Callable] = {}
        self._own_game: CoinGame | None = None
        self._ready = False
        super().__init__(game=game, opponent=opponent, you_start=you_start, hints=hints)
        self._ready = True
        self._restart()
        self.on_msg(lambda _, content, buffers: self._receive(content))

    # --- what is on the board

    @property
    def state(self) -> State:
        """The coins that are left in each row."""
        return self._match.state

    @property
    def moves(self) -> list[Move]:
        """The moves made so far, in order."""
        return list(self._match.moves)

    @property
    def waiting(self) -> bool:
        """Whether the board waits for the computer's move."""
        return self._turn == 1 and self.opponent != "person" and not self._trouble and self.winner is None

    @property
    def winner(self) -> int | None:
        """1: you (or the first person) won; 2: the other side did; None while the game goes on."""
        return self._match.winner and 1 + self._side(self._match.winner)

    @property
    def score(self) -> tuple[int, int]:
        """Games won by you and by the other side since the game or the opponent was chosen."""
        return tuple(self._score)

    @property
    def message(self) -> str:
        """What the board says, in words."""
        view = self.view
        return " ".join(filter(None, (view["notice"] or view["said"], view["headline"], view["hint"])))

    def render(self) -> str:
        """The position as HTML that needs no kernel; see `coincourse.labs.render`."""
        return render(self.game, self.state, self.message)

    # --- what can be done

    def pick(self, row: int, count: int) -> None:
        """Mark `count` coins at the right end of `row`, or say why they cannot be taken."""
        self._picked, self._notice = None, ""
        move = self._read(row, count)
        if move:
            self._picked = move
        self._show()

    def take(self, row: int | None = None, count: int | None = None) -> None:
        """Take coins (those that are marked, if none are named), and let the other side answer.

        A move that is not legal changes nothing; `message` says what would be legal.
        """
        made = len(self.moves)
        self.move(row, count)
        if len(self.moves) > made:
            self.reply()

    def move(self, row: int | None = None, count: int | None = None) -> None:
        """Your half of `take`: the other side does not answer yet."""
        self._notice = ""
        if row is None and self._picked is None:
            self._notice = "Mark the coins first: click one of them."
        else:
            move = self._read(*(self._picked if row is None else (row, count)))
            if move:
                self._make(move)
        self._show()

    def reply(self) -> None:
        """The computer's move, if it is its turn; its mistakes are said in words."""
        if not self.waiting:
            return
        try:
            answer = self._agent()(self.game, self.state)
        except Exception as error:  # noqa: BLE001 - whatever a student's function raises is said on the board
            what = f"{type(error).__name__}: {error}"
            self._trouble = f"The computer's program ({self.opponent}) failed at {self.state}: {what}."
        else:
            self._make(answer)
        self._show()

    def undo(self) -> None:
        """Take back your last move and the reply to it (with two people: the last move)."""
        if not self._can_undo():
            self._notice = "There is no move of yours to take back."
            return self._show()
        if self.winner:
            self._score[self.winner - 1] -= 1
        self._trouble = self._notice = ""
        self._picked = None
        kept = self._match.moves
        while True:
            side, kept = self._made[len(kept) - 1][0], kept[:-1]
            if side == 0 or self.opponent == "person":
                break
        self._match = Match(self.game)
        for move in kept:
            self._match.make(move)
        self._event = "Taken back."
        self._show()

    def new_game(self) -> None:
        """Put all coins back; the score stays."""
        self._match = Match(self.game)
        self._picked: Move | None = None
        who = self._names()[self._turn]
        self._event = f"New game. {who} {'start' if who == 'You' else 'starts'}."
        self._notice = self._trouble = ""
        self._count_win()
        self._show()

    def __repr__(self) -> str:
        return f"Board({self._game_name()}, opponent={self.opponent!r}, state={self.state})"

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        still = render(self.game, self.state, f"{self.message} (A still picture: run this cell to play.)")
        return {**data, "text/html": still}, metadata  # shown where no kernel runs

    # --- settings

    @traitlets.validate("game")
    def _read_game(self, proposal):
        return _read_game(proposal["value"])

    @traitlets.validate("opponent")
    def _read_opponent(self, proposal):
        asked = proposal["value"]
        if isinstance(asked, str):
            if asked in self._agents:
                return asked
            name = asked.replace("_", " ")
            if name in OPPONENTS:
                return name
        elif callable(asked):
            label = _agent_name(asked)
            label += " (yours)" if label in OPPONENTS else ""
            self._agents[label] = asked
            return label
        names = ", ".join(map(repr, OPPONENTS))
        raise ValueError(f"opponent: expected {names} or a function (game, state) -> move, got {shown(asked)}")

    @traitlets.observe("game", "opponent")
    def _changed(self, change) -> None:
        if self._ready:
            self._restart()

    @traitlets.observe("you_start")
    def _other_start(self, change) -> None:
        if self._ready:
            self.new_game()

    @traitlets.observe("hints")
    def _hints_changed(self, change) -> None:
        if self._ready:
            self._show()

    def _restart(self) -> None:
        """Start again at 0 : 0: another game, or another opponent."""
        self._score = [0, 0]
        if self._scenario() is None:
            self._own_game = self.game
        self.new_game()

    def _scenario(self) -> str | None:
        """The scenario whose coins these are, whatever the ending."""
        for name, game in SCENARIOS.items():
            if replace(game, misere=self.game.misere) == self.game:
                return name
        return None

    def _set(self, name: str, value) -> None:
        """A control was changed on the screen."""
        if name == "scenario":
            game = self._own_game if value == "own" else SCENARIOS[value]
            self.game = replace(game, misere=self.game.misere)
        elif name == "ending":
            self.game = replace(self.game, misere=value == "misere")
        elif name == "opponent":
            self.opponent = value
        elif name == "start":
            self.you_start = value == "you"
        elif name == "hints":
            self.hints = bool(value)

    def _receive(self, content: dict) -> None:
        """One message from the screen."""
        kind = content.get("kind")
        if kind == "pick":
            self.pick(content["row"], content["count"])
        elif kind == "take":
            self.move()
        elif kind == "reply" and content["ply"] == len(self._made):  # a second view may have asked already
            self.reply()
        elif kind == "undo":
            self.undo()
        elif kind == "new":
            self.new_game()
        elif kind == "set":
            self._set(content["name"], content["value"])

    # --- one move

    @property
    def _turn(self) -> int:
        """0: you (or player 1), 1: the other side."""
        return self._side(self._match.turn)

    def _side(self, player: int) -> int:
        """0 if that player of the match is you (or player 1), 1 if it is the other side."""
        return (player - 1 + (not self.you_start)) % 2

    @property
    def _made(self) -> list[tuple[int, Move]]:
        """The moves made so far, each with the side that made it."""
        return [(self._side(1 + number % 2), move) for number, move in enumerate(self._match.moves)]

    def _read(self, row: int, count: int) -> Move | None:
        """The move, if you may make it now; otherwise a notice."""
        if self.winner is not None:
            self._notice = "This game is over. Start a new one."
        elif self._trouble:
            self._notice = ""  # what went wrong still stands on the board
        elif self.waiting:
            self._notice = "Wait: it is not your turn yet."
        else:
            try:
                return read_move(self.game, self.state, (row, count))
            except IllegalMove as error:
                moves = self.game.legal_moves(self.state) if isinstance(row, int) else []
                legal = [move.count for move in moves if move.row == row]
                self._notice = f"That cannot be taken: {error}."
                if legal and isinstance(count, int) and abs(count) < 10**6:
                    self._notice = (
                        f"You asked for {counted(count, 'coin')}. From row {row} you can take {_span(legal)}."
                    )
        return None

    def _make(self, answer) -> None:
        self._match.make(answer)
        self._picked, self._notice, self._event = None, "", ""
        self._count_win()

    @property
    def _forfeit(self) -> str:
        """What the computer's program did that is not allowed, in words."""
        if not self._match.forfeit:
            return ""
        complaint = self._match.reason.partition("forfeits: ")[2]
        return f"Computer tries a move that is not allowed: {complaint}. An illegal move loses the game."

    def _count_win(self) -> None:
        if self.winner:
            self._score[self.winner - 1] += 1

    def _can_undo(self) -> bool:
        return any(side == 0 or self.opponent == "person" for side, _ in self._made)

    def _agent(self) -> Callable:
        """The opponent; the built-in ones are made when they are first asked."""
        if self.opponent not in self._agents:
            self._agents[self.opponent] = named.agent(self.opponent, self.game, self._seed)
        return self._agents[self.opponent]

    # --- words and drawing

    def _names(self) -> tuple[str, str]:
        return ("Player 1", "Player 2") if self.opponent == "person" else ("You", "Computer")

    def _letters(self) -> str:
        """What is written where each side took a coin."""
        return "12" if self.opponent == "person" else "YC"

    def _game_name(self) -> str:
        name = self._scenario()
        return name if name and self.game == SCENARIOS[name] else repr(self.game)

    def _said(self) -> str:
        """What happened last."""
        if self._trouble or self._forfeit:
            return self._trouble or self._forfeit
        if self._event or not self._made:
            return f"There is no coin to take. {_ending(self.game)}" if self.winner else self._event
        side, move = self._made[-1]
        who = self._names()[side]
        verb = "take" if who == "You" else "takes"
        if self.winner:
            return f"{who} {verb} the last coin. {_ending(self.game)}"
        where = f" from row {move.row}" if len(self.game.rows) > 1 else ""
        return f"{who} {verb} {counted(move.count, 'coin')}{where}."

    def _headline(self) -> str:
        names = self._names()
        if self.winner:
            who = names[self.winner - 1]
            return "You win!" if who == "You" else f"{who} wins."
        if self._trouble:
            return "The game has stopped. Take your move back, or start a new game."
        if self.waiting:
            return "Computer is thinking …"
        return "Your turn." if names[0] == "You" else f"{names[self._turn]}, it is your turn."

    def _best(self) -> tuple[list[Move], str]:
        """The moves to mark and the hint in words; nothing when hints are off or out of place."""
        if not self.hints or self.winner or self.waiting or self._trouble:
            return [], ""
        from coinlib.solvers import solve

        try:
            best = solve(self.game).best_moves(self.state)
        except (MemoryError, ValueError) as error:
            return [], f"No hint: {error}"
        if not best:
            return [], "Hint: no move wins here against perfect play."
        one_row = len(self.game.rows) == 1
        named = [f"{move.count}" if one_row else f"{move.count} from row {move.row}" for move in best]
        listed = ", or ".join(named[:4]) + (", or …" if len(named) > 4 else "")
        return best, f"Hint: take {listed} (marked ★) to win against perfect play."

    def _show(self) -> None:
        """Send the picture of the moment to the screen."""
        best, hint = self._best()
        yours = self.winner is None and not self.waiting and not self._trouble
        names, score = self._names(), self._score
        self.view = {
            "rows": self._rows(yours, best),
            "picked": list(self._picked) if self._picked else None,
            "yours": yours,
            "waiting": self.waiting,
            "won": self.winner or 0,
            "against": self.opponent != "person",
            "ply": len(self._made),
            "delay": round(1000 * self._delay),
            "rules": _rules(self.game),
            "headline": self._headline(),
            "said": self._said(),
            "notice": self._notice,
            "hint": hint,
            "take": self._take_label(yours),
            "score": [[f"{name} ({letter})", won] for name, letter, won in zip(names, self._letters(), score)],
            "can_undo": self._can_undo(),
            "show": [name for name in CONTROLS if name in self._controls],
            "menus": self._menus(),
            "hints": self.hints,
        }

    def _rows(self, yours: bool, best: list[Move]) -> list[dict]:
        """For each row: its coins, what may be taken, what wins, and who took the rest."""
        legal = self.game.legal_moves(self.state) if yours else []
        letters = self._letters()
        rows = []
        for row, (start, held) in enumerate(zip(self.game.rows, self.state)):
            taken = "".join(letters[side] * move.count for side, move in reversed(self._made) if move.row == row)
            last = self._made[-1][1] if self._made else Move(-1, 0)
            rows.append(
                {
                    "start": start,
                    "held": held,
                    "legal": [move.count for move in legal if move.row == row],
                    "best": [move.count for move in best if move.row == row],
                    "taken": taken,  # from left to right, the coin taken last first
                    "fresh": last.count if last.row == row else 0,
                }
            )
        return rows

    def _take_label(self, yours: bool) -> str:
        if self._picked:
            where = f" from row {self._picked.row}" if len(self.game.rows) > 1 else ""
            return f"Take {counted(self._picked.count, 'coin')}{where}"
        if self.winner:
            return "The game is over"
        return "Click a coin to choose" if yours else "Not your turn"

    def _menus(self) -> dict:
        """What each menu offers, and what is chosen."""
        scenarios = [[name, name] for name in SCENARIOS]
        if self._own_game is not None:
            rows = self._own_game.rows
            scenarios.append(["own", ("a row of " if len(rows) == 1 else "rows of ") + ", ".join(map(str, rows))])
        own = [[name, name] for name in self._agents if name not in OPPONENTS]
        first, second = self._names()
        return {
            "scenario": [self._scenario() or "own", scenarios],
            "ending": [
                "misere" if self.game.misere else "normal",
                [["misere", "misère play: last coin loses"], ["normal", "normal play: last coin wins"]],
            ],
            "opponent": [self.opponent, own + [[name, label] for name, label in OPPONENTS.items()]],
            "start": ["you" if self.you_start else "other", [["you", first], ["other", second]]],
        }


def render(game: CoinGame, state: State, message: str = "") -> str:
    """A position as HTML that reads the same on a page without a kernel, even without styles.

    Parameters
    ----------
    game : CoinGame
    state : tuple of int
        Coins left in each row.
    message : str
        What is said under the rows.

    Returns
    -------
    str
        The same for the same arguments, byte for byte.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, or there are more rows or coins than a board shows.

    Examples
    --------
    >>> render(CoinGame((3,), max_pick=2), (2,)).count("●")
    2
    """
    _check_visible(game)
    game.is_over(state)  # refuses what is not a state of this game
    if not isinstance(message, str):
        raise TypeError(f"message: expected words, got {shown(message)}")
    rows = "<br>\n".join(_render_row(*row) for row in zip(range(len(state)), game.rows, state))
    last = f"\n<p><strong>{escape(message)}</strong></p>" if message else ""
    return f"<div>\n<p>{escape(_rules(game))}</p>\n<p>{rows}</p>{last}\n</div>"


def _render_row(row: int, start: int, held: int) -> str:
    """One row: coins, the places of those that are gone, and the number in words."""
    coins, gone = _fives("●", 0, held), _fives("○", held, start)
    return (
        f"row {row}: <span style='color: {COIN}'>{coins}</span> "
        f"<span style='color: {GONE}'>{gone}</span> {counted(held, 'coin')}"
    )


def _fives(mark: str, first: int, last: int) -> str:
    """Marks for the places from `first` to `last`, with a wider gap after every fifth."""
    return " ".join(mark + ("\u2002" if place % 5 == 4 else "") for place in range(first, last))


def _rules(game: CoinGame) -> str:
    if game.max_pick is None:
        amount = "any number of coins"
    else:
        amount = f"{_span(range(1, game.max_pick + 1))} coin{'s' if game.max_pick > 1 else ''}"
    return f"Take {amount}{' from one row' if len(game.rows) > 1 else ''}. {_ending(game)}"


def _ending(game: CoinGame) -> str:
    return f"{game.ending.capitalize()}: who takes the last coin {'loses' if game.misere else 'wins'}."


def _span(counts: Sequence[int]) -> str:
    """Counts that follow each other: "1", "1 or 2", "1 to 7"."""
    if len(counts) == 1:
        return str(counts[0])
    return f"{counts[0]} {'or' if len(counts) == 2 else 'to'} {counts[-1]}"


def _agent_name(agent) -> str:
    """A name without an address in it."""
    from coinlib.agents import agent_name

    name = str(agent_name(agent))
    return "your function" if name == "<lambda>" else name


def _read_game(asked) -> CoinGame:
    game = coin_game(asked)
    _check_visible(game)
    return game


def _check_visible(game: CoinGame) -> None:
    if len(game.rows) > ROWS_AT_MOST or max(game.rows) > COINS_AT_MOST:
        raise ValueError(
            f"game: a board shows at most {ROWS_AT_MOST} rows of {COINS_AT_MOST} coins, got {shown(game.rows)}"
        )


def _read_delay(delay) -> float:
    return number_in(delay, "delay", 0, LONGEST_DELAY)
