"""`coinlib coins`: any rows of coins, with either ending, between people, computer players or both."""

from dataclasses import replace

from numpy.random import SeedSequence

from coinlib import named
from coinlib.agents import HumanAgent
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, CoinGame, Move, State, one_row, sticks
from coinlib.match import Match
from coinlib.solvers import solve
from coinlib.words import ending_words

from .pages import Page, Typed, listed, row_counts, whole
from .program import Program
from .talk import ask, say

PERSON = "person"
PLAYERS = {PERSON: "asks a person", **{name: agent.words for name, agent in named.AGENTS.items()}}
GAMES = 1_000  # between two machines, by default


def bounds(game: CoinGame) -> str:
    """Describe a scenario: "rows of 1, 3, 5 and 7; at most 2 a turn"."""
    *others, last = (str(held) for held in game.rows)
    counts = f"{', '.join(others)} and {last}" if others else last
    noun = "rows" if others else "row"
    return f"{noun} of {counts}; at most {game.max_pick} a turn"


BOUNDS = {name: bounds(game) for name, game in SCENARIOS.items()}


def options(page: Page) -> None:
    """Add the arguments of `coinlib coins`."""
    add_scenario(page, "scenario", "Name of the scenario", nargs="?")
    page.add_option("--rows", row_counts, "Your own rows instead of a scenario, such as 1,3,5,7")
    words = "Most coins per turn (default: the scenario's; with --rows any number)"
    page.add_option("--max-pick", whole(1), words)
    page.add_flag("--normal", "Normal play: the player who takes the last coin wins, not loses")
    page.add_choice("--first", "PLAYER", PLAYERS, "The player who moves first", default=PERSON)
    page.add_choice("--second", "PLAYER", PLAYERS, "The other player", default="perfect")
    page.add_option("--games", whole(1), "Two machines: number of games to play and count")
    page.add_flag("--alternate", f"Two machines: take turns going first ({GAMES} games without --games)")
    page.add_option("--practice", whole(0), "Practice games of hats and qlearner", default=100_000)
    page.add_seed()


def add_scenario(page: Page, flag: str, words: str, **settings) -> None:
    """Add an argument for the name of a scenario."""
    page.add_choice(flag, "SCENARIO", BOUNDS, words, **settings)


def run(typed: Typed) -> None:
    """Play a scenario of The Coin Game, or your own rows: people, machines or both."""
    if typed.scenario is None and typed.rows is None:
        say(f"The scenarios of The Coin Game:\n{listed(BOUNDS)}\n")
        say("Name one, such as `coinlib coins NIM`, or choose your own rows: `coinlib coins --rows 3,4`.")
        return
    if typed.scenario and typed.rows:
        raise ValueError("expected either a scenario or --rows, not both")
    game = SCENARIOS[typed.scenario] if typed.scenario else CoinGame(typed.rows, max_pick=None)
    game = CoinGame(game.rows, typed.max_pick or game.max_pick, misere=not typed.normal)
    names = (typed.first, typed.second)
    counting = typed.games is not None or typed.alternate
    if counting and PERSON in names:
        way_out = "choose --first and --second without a person"
        raise ValueError(f"--games and --alternate are for two machines; {way_out}")
    if "perfect" in names:
        # This compiles the solver now, so that nothing interrupts the session later.
        solve(sticks(2))
    seats = [
        None if name == PERSON else named.agent(name, game, seed, typed.practice)
        for name, seed in zip(names, SeedSequence(typed.seed).spawn(2))
    ]
    say(rules(game))
    if counting:
        count(game, seats, names, typed.games or GAMES, typed.alternate)
    else:
        Coins(game, tuple(seats), names).run()


def rules(game: CoinGame, row: str = "row") -> str:
    """Return the rules in two sentences; `row` is the word for a row.

    Examples
    --------
    >>> print(rules(CoinGame((3, 4), max_pick=1)))
    Rows of 3, 4: take 1 coin from one row. Misère play: the player who takes the last coin loses.
    >>> print(rules(sticks(6, misere=False), "pile"))
    Pile of 6: take 1 to 3 coins. Normal play: the player who takes the last coin wins.
    """
    amount = "any number of coins"
    if game.max_pick:
        amount = "1 coin" if game.max_pick == 1 else f"1 to {game.max_pick} coins"
    counts = ", ".join(str(held) for held in game.rows)
    ending = ending_words(game).capitalize()
    if one_row(game):
        return f"{row.capitalize()} of {counts}: take {amount}. {ending}."
    return f"{row.capitalize()}s of {counts}: take {amount} from one {row}. {ending}."


class Coins(Program):
    """A game of coins: asks people for a row and a number of coins, and reports the moves of machines."""

    def show(self, match: Match) -> None:
        say()
        for row, held in enumerate(match.state):
            say(f"{self.row_name(row):>8}: {held:>3}  {'o' * held}".rstrip())

    def row_name(self, row: int) -> str:
        """Return the name of a row."""
        return f"row {row}"

    def ask(self, state: State, player: int) -> Move:
        question = "How many coins do you take"
        if not one_row(self.game):
            question = "Which row, and how many coins, such as 0 1"
        person = HumanAgent(ask=lambda _: ask(f"Player {player}: {question}? "), say=say)
        return person(self.game, state)

    def tell(self, match: Match) -> None:
        player = 3 - match.turn
        row, taken = match.moves[-1]
        say(f"Player {player} ({self.names[player - 1]}) takes {taken} from {self.row_name(row)}.")

    def end(self, match: Match) -> None:
        if self.seats.count(None) == 1:
            self.won.append(self.seats[match.winner - 1] is None)
        say((f"Player {match.winner} wins: {match.reason}.", "bold"))

    def again(self) -> bool:
        return None in self.seats and super().again()


def count(game: CoinGame, machines: list, names: tuple[str, str], games: int, alternate: bool) -> None:
    """Play many games between two machines, and print how many each has won."""
    found = evaluate(game, *machines, games=games, first="alternate" if alternate else "agent")
    other = replace(found, wins=found.losses, forfeits=found.opponent_forfeits)
    order = "the players take turns going first" if alternate else "player 1 moves first"
    if found.error:
        say(f"Stopped early: {found.error}")
    say(f"{found.games:,} games, {order}.")
    for player, (name, side) in enumerate(zip(names, (found, other)), 1):
        words = f"player {player}, {name}: {side.wins:,} won"
        words += f" ({side.win_rate:.1%}, 95 % interval {side.low:.1%} to {side.high:.1%})"
        if side.forfeits:
            words += f"; {side.forfeits:,} forfeited by an illegal move"
        say(words)
