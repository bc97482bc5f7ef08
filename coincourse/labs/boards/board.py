"""A board to play on: a game to click, an opponent that answers, and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from jinja2.utils import htmlsafe_json_dumps

from coinlib import named
from coinlib.arguments import number_in
from coinlib.games import SCENARIOS, CoinGame, Game, GreedyCoins  # noqa: F401 - the examples below make some
from coinlib.learners import Learner
from coinlib.match import AgentError, ask

from ..base.buttons import Button, ButtonRow
from ..base.controls import menu, tick
from ..base.lab import Lab, acts
from ..base.match_on_screen import COMPUTER, YOU, within_sentence
from ..base.pages import page, styles
from ..base.sticks import ending
from . import offers
from .board_match import BoardMatch
from .plain_data import as_plain_data, opponent_name
from .words import AGAIN, TAKEN_BACK, to_take, words_for


class Board(Lab):
    """A board in a notebook: click coins, and the other side answers.

    The first click on a coin marks it and all coins to its right; the button or a second click takes them.
    Any other game is shown by its own ``picture(state)``, as text or HTML, with its legal moves as
    buttons. Everything can also be done from Python, without a browser.

    Parameters
    ----------
    game : Game or str
        The game, any object with the seven members of a `Game`, or the name of a scenario.
    opponent : str or agent
        "random", "take one", "search", "perfect", "person" (two people at one board), or any function
        from ``(game, state)`` to a move.
    controls : bool or iterable of str
        The controls to show: "game", "ending", "opponent", "you_start", "hints", "undo" and "new game". With "you_start"
        there is always a "New game" button, since that control starts one too.
    seed : int or None
        For the built-in opponents that draw at random.
    delay : float
        Seconds between your move and the answer; only on the screen.
    **settings
        `you_start`: who makes the first move of each game; `hints`: whether to mark the moves that win against
        perfect play; and what has happened: `moves`, and before this game `earlier`, the games won by each
        side, and `forfeits`, the computer's illegal moves as text. `thing` is what the board calls what is in a row:
        "coin" or "stick".

    Examples
    --------
    >>> board = Board(CoinGame((4,), max_pick=3), opponent=lambda game, state: 1)
    >>> board.take(0, 2)
    >>> board.message
    'The computer takes 1 coin. Your turn.'
    >>> board.take(0, 2)
    >>> board.message
    'You asked for 2 coins. You can take 1. Your turn.'
    >>> board.take(0, 1)
    >>> board.message
    'You take the last coin. Misère play: the player who takes the last coin loses. The computer wins.'

    A game with the moves "L" and "R":

    >>> board = Board(GreedyCoins((1, 2, 4, 3)), opponent="perfect", seed=1)
    >>> board.take("R")
    >>> board.message
    'The computer plays R. Points: You 3, the computer 4. Your turn.'
    """

    goal = "Make your move, and the other side answers."
    style = styles("sticks.css", "board.css")
    game = offers.Offered(
        "Game", "What is played.", SCENARIOS["SINGLE_21_3"], offers.A_GAME, offers.read_board_game, offers.game_name
    )
    ending = ending(thing="coin")
    opponent = offers.Offered(
        "Opponent", "Who answers your moves.", "random", offers.AN_OPPONENT, offers.read_opponent, opponent_name
    )
    you_start = menu("Who starts", "Who makes the first move of each game.", [(YOU, True), (COMPUTER, False)])
    hints = tick("Hints", "Marks the moves that win against perfect play.", keeps=True)
    GROUPS = ("undo", "new game")
    BELOW = ("buttons", "game", "ending", "opponent", "you_start", "hints")
    PAST: ClassVar = {"moves": (), "earlier": (0, 0), "forfeits": (), "picked": None, "thing": "coin"}

    def __init__(
        self,
        game: Game | str = "SINGLE_21_3",
        opponent: str | Callable = "random",
        controls: bool | Iterable[str] = True,
        seed: int | None = None,
        delay: float = 0.8,
        **settings,
    ) -> None:
        self.offered = {"game": dict(SCENARIOS), "opponent": {name: name for name in offers.OPPONENTS}}
        agents = [name for name in offers.OPPONENTS if name != offers.PERSON]
        self.agents = {name: named.agent(name, seed=seed) for name in agents}
        self.delay = number_in(delay, "delay", 0)
        super().__init__(controls, game=game, opponent=opponent, **settings)

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, with the game's own ending; refuses an opponent that cannot play the game."""
        settings = super().complete(settings)
        game, opponent = settings["game"], settings["opponent"]
        if opponent in offers.strangers(game):
            name = words_for(game).name
            raise ValueError(f"opponent: {opponent!r} plays rows of coins only; the game is {name}")
        if isinstance(opponent, Learner):
            opponent.move_weights(game, opponent.table)  # This raises a ValueError if it learns a different game.
        return settings | {"ending": offers.ending_of(game)}

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of every lab, and the delay."""
        return super().settings | {"delay": self.delay}

    @staticmethod
    def compute(delay: float = 0, **settings) -> BoardMatch:
        """The match after these moves."""
        return BoardMatch(**settings)

    @staticmethod
    def draw(data: BoardMatch, hints: bool, delay: float, **settings) -> str:
        """The position as data, from which the front end draws the board."""
        return f"<div data-board='{htmlsafe_json_dumps(data.position(hints, delay))}'></div>"

    # --- what is on the board

    @property
    def title(self) -> str:
        """Who plays; an agent is named, unless the menu of opponents names it."""
        if self.opponent == offers.PERSON:
            return "A game for two"
        title = f"A game against {within_sentence(COMPUTER)}"
        if isinstance(self.opponent, str) or "opponent" in self.shown:
            return title
        return f"{title} ({opponent_name(self.opponent)})"

    @property
    def state(self):
        """The current state: the coins left in each row, or the state of another game."""
        return self.data.state

    @property
    def moves(self) -> list:
        """The moves so far, in order."""
        return list(self.data.moves)

    @property
    def winner(self) -> int | None:
        """1 if you (or the first person) won, 2 if the other side did, 0 for a tie, None until the game is over."""
        if not self.data.winner:  # None or 0
            return self.data.winner
        return 1 + self.data.sides.index(self.data.champion)

    @property
    def score(self) -> tuple[int, int]:
        """The games won by you and by the other side since the game or the opponent was chosen."""
        return self.data.score

    @property
    def message(self) -> str:
        """What the board says."""
        hint = self.data.hint()[1] if self.hints else ""
        return " ".join(filter(None, (self.data.notice or self.data.said, self.data.headline, hint)))

    # --- what can be done

    @acts
    def pick(self, *move) -> None:
        """Mark coins at the right end of a row, ``pick(row, count)``; a notice says if they cannot be taken."""
        self.data.picked = None
        self.data.picked = self.data.read(*move)

    def take(self, *move) -> None:
        """Make a move, such as ``take(row, count)``, or the one that is marked, and let the other side answer.

        An illegal move changes nothing; `message` says what would be legal.
        """
        self.move(*move)
        if not self.data.notice:  # A notice says why the move was refused.
            self.reply()

    @acts
    def move(self, *move) -> None:
        """Make your move like `take`, but without the answer."""
        if not move and self.data.picked is None:
            raise ValueError("Mark coins first, then take them.")
        answer = move or [self.data.picked]
        self.data.make(self.data.read(*answer))
        self.data.picked = None

    @acts
    def reply(self) -> None:
        """Make the computer's move, if it is its turn; a message reports its mistakes."""
        if self.data.stage != "waiting":
            return
        agent = self.agents[self.opponent] if isinstance(self.opponent, str) else self.opponent
        try:
            self.data.make(ask(agent, opponent_name(self.opponent), self.game, self.state))
        except (AgentError, ValueError) as error:
            self.data.trouble = f"{COMPUTER}'s program failed: {error}."

    @acts
    def undo(self) -> None:
        """Take back your last move and the reply to it; with two people, the last move."""
        self.update(moves=self.data.taken_back(), picked=None)
        self.data.notice = TAKEN_BACK

    def new_game(self) -> None:
        """Begin again; the score stays."""
        self.update(**self._next_game())

    def _next_game(self) -> dict[str, Any]:
        """The settings with which the next game begins."""
        forfeits = self.data.forfeits
        if self.data.forfeit:
            forfeits = (*forfeits, f"in state {self.data.forfeit.state}: {self.data.forfeit.why}")
        return {"moves": (), "earlier": self.score, "forfeits": forfeits, "picked": None}

    # --- what is on the screen

    def choice(self, control: str, name: str) -> Any:
        """The game or opponent chosen from a menu on the screen; another game keeps the ending, which has its own menu."""
        thing = self.offered[control][name]
        return offers.with_ending(thing, self.ending) if control == "game" else thing

    def facts(self) -> dict[str, Any]:
        """The settings, the winner, and the games won by each side."""
        yours, others = self.score
        return self.settings | {"winner": self.winner, "won": yours, "lost": others}

    def moved(self, name: str) -> dict[str, Any]:
        """Another game, ending or opponent resets the score to 0 : 0; changing who starts keeps it."""
        if name == "you_start":
            return self._next_game()
        settings = super().moved(name) | {"thing": self.data.thing}
        if name == "game":
            settings["ending"] = offers.ending_of(self.game)
        elif name == "ending":
            settings["game"] = offers.with_ending(self.game, self.ending)
        return settings

    def now(self) -> dict[str, dict[str, Any]]:
        """The entries of the menus, including those set from Python."""
        first, second = self.data.sides
        opponents = [name for name in self.offered["opponent"] if name not in offers.strangers(self.game)]
        endings = ending(thing=self.data.thing)
        return {
            "game": {"options": [(name, name) for name in self.offered["game"]]},
            "ending": {
                "hidden": not offers.has_endings(self.game),
                "options": endings.element["options"],
                "explanation": endings.explanation,
            },
            "opponent": {"options": [(offers.OPPONENTS.get(name, name), name) for name in opponents]},
            "you_start": {"options": [(first, True), (second, False)]},
        }

    def rows(self) -> dict[str, ButtonRow]:
        """The buttons; at the end of a game the focus goes to "New game"."""
        data = self.data
        buttons = []
        again = AGAIN if data.over else ""
        if data.words.rows:
            taking = f"Take {data.words.named(data.picked)}" if data.picked else to_take(data.thing)[data.stage]
            explanation = f"Take the {data.thing}s that are marked"
            picked = data.picked is not None
            buttons.append(Button(taking, explanation, self.move, disabled=not picked, now=picked))
        if "undo" in self.shown:
            nothing_to_undo = data.before_yours is None
            words = "Take back your last move"
            buttons.append(Button("Undo", words, self.undo, disabled=nothing_to_undo, leaves=True))
        if "new game" in self.shown or "you_start" in self.shown:
            words = "Begin again; the score stays"
            is_new = not (data.moves or data.picked or data.trouble)
            buttons.append(Button("New game", words, self.new_game, disabled=is_new, now=data.over, leaves=True))
            again = ""
        return {"buttons": ButtonRow(buttons, explanation=again)}

    def clicked(self, to: str) -> None:
        """A click on a coin or a move, or the message that it is time for the computer to answer."""
        if to.startswith("reply "):
            return self.reply()
        move = self.data.words.move_of(to)
        if self.data.words.rows and move != self.data.picked:
            self.pick(move)
        else:
            self.move(move)

    # --- without a kernel

    def arguments(self) -> dict[str, Any]:
        """As in every lab, without the usual word for what is in a row."""
        arguments = super().arguments()
        if self.data.thing == self.PAST["thing"]:
            del arguments["thing"]
        return arguments

    def plain_setting(self, setting) -> dict[str, Any]:
        """As in every lab: a small game of coins, or an opponent whose choices are known in advance."""
        return as_plain_data(self.game, setting)

    def still(self) -> str:
        """The position and the message; a picture does not say that the computer is thinking."""
        message = self.message
        if self.data.stage == "waiting":
            message = self.data.notice or self.data.said
        return render(self.game, self.state, f"{message} (A still picture: run this cell to play.)", self.data.thing)

    def __repr__(self) -> str:
        names = [name for name, game in SCENARIOS.items() if game == self.game]
        game = names[0] if names else repr(self.game)
        return f"Board({game}, opponent={opponent_name(self.opponent)!r}, state={self.state})"


def render(game: Game, state, message: str = "", thing: str = "coin") -> str:
    """A position as HTML that looks the same on a page without a kernel, even without styles.

    Parameters
    ----------
    game : Game
    state : state of `game`
        The coins left in each row.
    message : str
        The text under the rows.
    thing : str
        What is in the rows: "coin" or "stick".

    Returns
    -------
    str
        Byte-for-byte identical for the same arguments.

    Examples
    --------
    >>> render(CoinGame((3,), max_pick=2), (2,)).count("●")
    2
    """
    words = words_for(game, thing)
    return page("position.html", rules=words.rules, picture=words.picture(state), message=message)
