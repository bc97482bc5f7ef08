"""A board to play on: a game to click, an opponent that answers, and words for all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from jinja2.utils import htmlsafe_json_dumps

from coinlib import named
from coinlib.agents import RuleAgent, agent_name
from coinlib.arena import forfeits_in_words
from coinlib.arguments import number_in, one_of
from coinlib.games import SCENARIOS, CoinGame, Game, GreedyCoins, IllegalMove, read_game, read_move  # noqa: F401 - an example
from coinlib.learners import Learner
from coinlib.match import AgentError, ask
from coinlib.search import SearchAgent
from coinlib.tables import tabulate

from .controls import Control, menu, tick
from .game_words import NOT_NOW, TAKEN_BACK, TIE, TO_TAKE, spoken, words_for
from .lab import Button, Lab, Row, acts
from .pages import page, styles
from .playing import YOU, Playing
from .shared import ending

PERSON = "person"
OPPONENTS = {name: named.AGENTS[named.spelled(name)].words for name in ("random", "take one", "search", "perfect")}
OPPONENTS[PERSON] = "another person"
A_GAME = f"a game such as sticks(20), or one of {', '.join(SCENARIOS)}"
AN_OPPONENT = f"{', '.join(map(repr, OPPONENTS))} or a function (game, state) -> move"


class Play(Playing):
    """A match at the board.

    Attributes
    ----------
    sides : tuple of two str
        You and the computer, or two people; `names` has them in the order of their first moves.
    earlier : tuple of int
        Games won by each side before this one.
    forfeits : tuple of str
        The computer's illegal moves in those games, in words.
    picked : Move or None
        The move that is marked.
    delay : float
        Seconds before the computer's move, on the screen.
    notice, trouble : str
        What is to be said besides; how the computer's program failed.
    """

    computer = "Computer"

    def __init__(self, game: Game, opponent: str | Callable, you_start: bool, moves: Iterable, **settings) -> None:
        self.sides = ("Player 1", "Player 2") if opponent == PERSON else (YOU, self.computer)
        super().__init__(game, names=self.sides if you_start else self.sides[::-1])
        self.words = words_for(game)
        self.earlier, self.forfeits = settings["earlier"], settings["forfeits"]
        self.delay = settings["delay"]
        self.notice = self.trouble = ""
        for move in moves:
            self.make(move)
        self.picked = settings["picked"] and self.read(*settings["picked"])

    # --- whose turn it is, and who has won

    @property
    def stage(self) -> str:
        """The game is "over", or "yours" where somebody at the screen is to move, or else "waiting" for the computer."""
        if self.over:
            return "over"
        return "waiting" if self.mover == self.computer else "yours"

    @property
    def champion(self) -> str:
        """Who has won; nobody in a tie, or while the game goes on."""
        return self.names[self.winner - 1] if self.winner else ""

    @property
    def score(self) -> tuple[int, int]:
        """Games won by each side."""
        return tuple(won + (side == self.champion) for side, won in zip(self.sides, self.earlier))

    # --- moves

    def read(self, *answer):
        """The move that is meant, one thing or a row and a count; ValueError, in words, if it cannot be made now."""
        answer = answer[0] if len(answer) == 1 else answer
        if self.stage != "yours":
            raise ValueError(NOT_NOW[self.stage])
        try:
            return read_move(self.game, self.state, answer)
        except IllegalMove as error:
            raise ValueError(self.words.refused(self.state, answer, error)) from None

    # --- words

    @property
    def said(self) -> str:
        """What happened last."""
        if self.forfeit:
            complaint = self.illegal_move.partition(": ")[2]
            return f"Computer tries a move that is not allowed: {complaint}. An illegal move loses the game."
        if self.trouble:
            return self.trouble
        if self.moves:
            return f"{self.words.told(*self.made[-1], self.over)} {self.points}".strip()
        if self.over:
            return self.words.nothing
        begins = spoken(self.mover)["begins"]
        if not self.forfeits:
            return begins
        return f"{begins} {forfeits_in_words(0, len(self.forfeits), self.forfeits[0])}."

    @property
    def points(self) -> str:
        """What each side has gained, in a game with points."""
        gained = dict(zip(self.names, (sum(self.rewards[0::2]), sum(self.rewards[1::2]))))
        return f"Points: {', '.join(f'{side} {gained[side]}' for side in self.sides)}." if any(self.rewards) else ""

    @property
    def headline(self) -> str:
        """Who has won, or is to move."""
        if self.over:
            return spoken(self.champion)["wins"] if self.champion else TIE
        if self.trouble:
            return "The game has stopped. Take your move back, or start a new game."
        return spoken(self.mover)["turn"]

    def hint(self) -> tuple[list, str]:
        """The moves to mark, and the hint in words."""
        return self.words.advice(self.state) if self.stage == "yours" else ([], "")

    def position(self, hints: bool) -> dict[str, Any]:
        """All that the front end draws (see board.js), as plain data."""
        best, hint = self.hint() if hints else ([], "")
        to = self.words.to
        said = {name: getattr(self, name) for name in ("headline", "said", "notice", "sides", "score", "champion")}
        return said | {
            "rules": self.words.rules,
            "hint": hint,
            "turn": "" if self.over or self.trouble else self.stage,
            "delay": round(1000 * self.delay),
            "made": [(who, to(move)) for who, move in self.made],
            "legal": [to(move) for move in self.game.legal_moves(self.state)],
            "best": [to(move) for move in best],
            "picked": self.picked and to(self.picked),
            "rows": self.words.rows,
            "state": self.words.drawn(self.state),
        }


class Offered(Control):
    """A menu of things that have names; what is handed over from Python is offered from then on.

    Parameters
    ----------
    label, explanation, default, expected, read
        As in `Control`.
    name : function (thing) -> str
        What stands in the menu.
    """

    def __init__(self, label: str, explanation: str, default, expected: str, read: Callable, name: Callable) -> None:
        super().__init__(label, explanation, default, expected, read, kind="menu")
        self.called = name
        self.tag(to_json=lambda thing, board: name(thing), from_json=lambda name, board: board.choice(self.name, name))

    def validate(self, board, value) -> Any:
        """What traitlets asks whenever the attribute is set."""
        thing = super().validate(board, value)
        board.offered[self.name][self.called(thing)] = thing
        return thing


def read_board_game(asked: Game | str | Mapping[str, Any]) -> Game:
    """A game, the name of a scenario, or a game of coins as plain data."""
    return CoinGame(**asked) if isinstance(asked, Mapping) else read_game(asked)


def read_opponent(asked: str | Callable | Mapping[str, str]) -> str | Callable:
    """An agent, the name of one, or a rule or a search as plain data: see `board_tables.plain`."""
    if callable(asked) and not isinstance(asked, type):
        return asked
    if not isinstance(asked, Mapping):
        return one_of(str(asked).replace("_", " "), "opponent", list(OPPONENTS))
    if "simulations" in asked:
        return SearchAgent(**asked, seed=1)
    columns = asked["moves"].split()

    def rule(game, state):
        table = tabulate(game)
        return table.moves[int(columns[table.row(state)])]

    return RuleAgent(rule, asked["name"])


def strangers(game: Game) -> tuple[str, ...]:
    """The opponents that do not know this game."""
    return () if isinstance(game, CoinGame) else ("take one",)


def opponent_name(opponent: str | Callable) -> str:
    """What an opponent is called, without an address in it."""
    return opponent if isinstance(opponent, str) else agent_name(opponent).replace("<lambda>", "your function")


def ending_of(game: Game) -> str:
    """The ending of a game of coins, as the menu has it."""
    return "misere" if getattr(game, "misere", True) else "normal"


def with_ending(game: Game, ending: str) -> Game:
    """The game with this ending, if it is one of coins."""
    return replace(game, misere=ending == "misere") if isinstance(game, CoinGame) else game


class Board(Lab):
    """A board in the notebook: click coins, and the other side answers.

    A first click on a coin marks it and all coins to its right; the button, or a second click,
    takes them. Any other game is shown as its own ``picture(state)`` draws it, in plain text or
    in HTML, with its legal moves as buttons. Each step can be made from Python as well, without
    a browser.

    Parameters
    ----------
    game : Game or str
        What is played, or the name of a scenario. Any object with the seven names of a `Game`.
    opponent : str or agent
        "random", "take one", "search", "perfect", "person" (two people at one board), or any function
        from ``(game, state)`` to a move.
    controls : bool or iterable of str
        The controls to show: "game", "ending", "opponent", "you_start", "hints", "undo" and "new game".
    seed : int or None
        For the built-in opponents that draw at random.
    delay : float
        Seconds between your move and the answer, on the screen only.
    **settings
        `you_start`: who makes the first move of each game; `hints`: whether the moves that win against
        perfect play are marked; and what has happened: `moves`, and before this game `earlier`, the games
        won by both sides, and `forfeits`, the computer's illegal moves in words.

    Examples
    --------
    >>> board = Board(CoinGame((4,), max_pick=3), opponent=lambda game, state: 1)
    >>> board.take(0, 2)
    >>> board.message
    'Computer takes 1 coin. Your turn.'
    >>> board.take(0, 2)
    >>> board.message
    'You asked for 2 coins. You can take 1. Your turn.'
    >>> board.take(0, 1)
    >>> board.message
    'You take the last coin. Misère play: who takes the last coin loses. Computer wins.'

    Another game, whose moves are "L" and "R":

    >>> board = Board(GreedyCoins((1, 2, 4, 3)), opponent="perfect", seed=1)
    >>> board.take("R")
    >>> board.message
    'Computer plays R. Points: You 3, Computer 4. Your turn.'
    """

    goal = "Make your move, and the other side answers."
    style = styles("board.css")
    game = Offered(
        "Game", "What is played.", SCENARIOS["SINGLE_21_3"], A_GAME, read_board_game, lambda game: words_for(game).name
    )
    ending = ending(thing="coin")
    opponent = Offered("Opponent", "Who answers your moves.", "random", AN_OPPONENT, read_opponent, opponent_name)
    you_start = menu("Who starts", "Who makes the first move of each game.", [("You", True), ("Computer", False)], True)
    hints = tick("Hints", "Marks the moves that win against perfect play.", keeps=True)
    GROUPS = ("undo", "new game")
    BELOW = ("buttons", "game", "ending", "opponent", "you_start", "hints")
    PAST: ClassVar = {"moves": (), "earlier": (0, 0), "forfeits": (), "picked": None, "delay": 0.8}

    def __init__(
        self,
        game: Game | str = "SINGLE_21_3",
        opponent: str | Callable = "random",
        controls: bool | Iterable[str] = True,
        seed: int | None = None,
        delay: float = 0.8,
        **settings,
    ) -> None:
        self.offered = {"game": dict(SCENARIOS), "opponent": {name: name for name in OPPONENTS}}
        self.agents = {name: named.agent(name, seed=seed) for name in OPPONENTS if name != PERSON}
        self.PAST = self.PAST | {"delay": number_in(delay, "delay", 0)}
        super().__init__(controls, game=game, opponent=opponent, **self.PAST | settings)

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings; the ending is that of the game, which the opponent must know."""
        settings = super().complete(settings)
        game, opponent = settings["game"], settings["opponent"]
        if opponent in strangers(game):
            raise ValueError(f"opponent: {opponent!r} plays rows of coins only; the game is {words_for(game).name}")
        if isinstance(opponent, Learner):
            opponent.move_weights(game, opponent.table)  # says so itself
        return settings | {"ending": ending_of(game)}

    compute = Play  # after these moves

    @staticmethod
    def draw(data: Play, hints: bool, **settings) -> str:
        """The position as data, of which the front end makes the board."""
        return f"<div data-board='{htmlsafe_json_dumps(data.position(hints))}'></div>"

    # --- what is on the board

    @property
    def title(self) -> str:
        """Who plays."""
        return "A game for two" if self.opponent == PERSON else "A game against the computer"

    @property
    def state(self):
        """What is left: the coins in each row, or the state of another game."""
        return self.data.state

    @property
    def moves(self) -> list:
        """The moves made so far, in order."""
        return list(self.data.moves)

    @property
    def winner(self) -> int | None:
        """1: you (or the first person) won; 2: the other side did; 0: a tie; None while the game goes on."""
        return self.data.winner and 1 + self.data.sides.index(self.data.champion)

    @property
    def score(self) -> tuple[int, int]:
        """Games won by you and by the other side since the game or the opponent was chosen."""
        return self.data.score

    @property
    def message(self) -> str:
        """What the board says, in words."""
        hint = self.data.hint()[1] if self.hints else ""
        return " ".join(filter(None, (self.data.notice or self.data.said, self.data.headline, hint)))

    # --- what can be done

    @acts
    def pick(self, *move) -> None:
        """Mark coins at the right end of a row, ``pick(row, count)``, or say why they cannot be taken."""
        self.data.picked = None
        self.data.picked = self.data.read(*move)

    def take(self, *move) -> None:
        """Make a move, such as ``take(row, count)`` or the one that is marked, and let the other side answer.

        A move that is not legal changes nothing; `message` says what would be legal.
        """
        self.move(*move)
        if not self.data.notice:
            self.reply()

    @acts
    def move(self, *move) -> None:
        """Your half of `take`: the other side does not answer yet."""
        if not move and self.data.picked is None:
            raise ValueError("Mark the coins first: click one of them.")
        self.data.make(self.data.read(*move or self.data.picked))
        self.data.picked = None

    @acts
    def reply(self) -> None:
        """The computer's move, if it is its turn; its mistakes are said in words."""
        if self.data.stage != "waiting":
            return
        agent = self.agents[self.opponent] if isinstance(self.opponent, str) else self.opponent
        try:
            self.data.make(ask(agent, opponent_name(self.opponent), self.game, self.state))
        except (AgentError, ValueError) as error:
            self.data.trouble = f"The computer's program failed: {error}."

    @acts
    def undo(self) -> None:
        """Take back your last move and the reply to it (with two people: the last move)."""
        self.change(moves=self.data.taken_back(), picked=None)
        self.data.notice = TAKEN_BACK

    def new_game(self) -> None:
        """Begin again; the score stays."""
        forfeits = tuple(filter(None, (*self.data.forfeits, self.data.illegal_move)))
        self.change(moves=(), earlier=self.score, forfeits=forfeits, picked=None)

    # --- what is on the screen

    def choice(self, control: str, name: str) -> Any:
        """What was chosen from a menu on the screen; another game keeps the ending, which has a menu of its own."""
        thing = self.offered[control][name]
        return with_ending(thing, self.ending) if control == "game" else thing

    def moved(self, name: str) -> None:
        """Another game, ending or opponent begins at 0 : 0; who starts keeps the score."""
        if name == "you_start":
            return self.new_game()
        if name == "game":
            self.follow(ending=ending_of(self.game))
        elif name == "ending":
            self.follow(game=with_ending(self.game, self.ending))
        return super().moved(name)

    def now(self) -> dict[str, dict[str, Any]]:
        """What the menus offer: what was handed over from Python as well."""
        first, second = self.data.sides
        opponents = [name for name in self.offered["opponent"] if name not in strangers(self.game)]
        return {
            "game": {"options": [(name, name) for name in self.offered["game"]]},
            "ending": {"hidden": not isinstance(self.game, CoinGame)},
            "opponent": {"options": [(OPPONENTS.get(name, name), name) for name in opponents]},
            "you_start": {"options": [(first, True), (second, False)]},
        }

    def rows(self) -> dict[str, Row]:
        """The buttons; at the end of a game the keyboard goes to "New game"."""
        data = self.data
        taking = f"Take {data.words.named(data.picked)}" if data.picked else TO_TAKE[data.stage]
        take = Button(taking, "Take the coins that are marked", self.move, not data.picked)
        others = {
            "undo": Button("Undo", "Take back your last move", self.undo, data.before_yours is None, leaves=True),
            "new game": Button("New game", "Begin again; the score stays", self.new_game, now=data.over, leaves=True),
        }
        shown = [button for name, button in others.items() if name in self.shown]
        return {"buttons": Row([take, *shown] if data.words.rows else shown)}

    def clicked(self, to: str) -> None:
        """A coin, a move, or the time after which the computer answers."""
        if to.startswith("reply "):
            return self.reply()
        move = self.data.words.meant(to)
        if self.data.words.rows and move != self.data.picked:
            self.pick(move)
        else:
            self.move(move)

    # --- without a kernel

    def living(self) -> dict[str, Any]:
        """The tables with which a page without Python plays on."""
        from .board_tables import living

        return living(self)

    def plain(self, setting) -> dict[str, Any]:
        """As in every lab: a small game of coins, and an opponent that can say beforehand how it chooses."""
        from .board_tables import plain

        return plain(self.game, setting)

    def still(self) -> str:
        """The position and what is said of it."""
        return render(self.game, self.state, f"{self.message} (A still picture: run this cell to play.)")

    def __repr__(self) -> str:
        name = next((name for name, game in SCENARIOS.items() if game == self.game), repr(self.game))
        return f"Board({name}, opponent={opponent_name(self.opponent)!r}, state={self.state})"


def render(game: Game, state, message: str = "") -> str:
    """A position as HTML that reads the same on a page without a kernel, even without styles.

    Parameters
    ----------
    game : Game
    state : state of `game`
        Coins left in each row.
    message : str
        What is said under the rows.

    Returns
    -------
    str
        The same for the same arguments, byte for byte.

    Examples
    --------
    >>> render(CoinGame((3,), max_pick=2), (2,)).count("●")
    2
    """
    words = words_for(game)
    return page("position.html", rules=words.rules, picture=words.picture(state), message=message)
