"""`coinlib coins`: any rows of coins, either ending, between people, machines or both."""

from __future__ import annotations

from numpy.random import SeedSequence

from coinlib import named
from coinlib.arena import Match, evaluate, wilson
from coinlib.games import SCENARIOS, CoinGame, State

from .play import Program
from .talk import Page, Wanted, ask, ctrl_c_leaves, say, whole

PERSON = "person"
PLAYERS = {PERSON: "asks somebody", **{name: agent.words for name, agent in named.AGENTS.items()}}
KNOWN = f"one of {', '.join(SCENARIOS)}"
WIDEST = 60  # coins that are shown in a line


def options(page: Page) -> None:
    which = page.add_mutually_exclusive_group(required=True)
    which.add_argument("scenario", nargs="?", metavar="SCENARIO", type=str.upper, choices=SCENARIOS, help=KNOWN)
    which.add_argument("--rows", type=numbers_of_coins, metavar="N,N,...", help="rows of your own, such as 1,3,5,7")
    page.number("--max-pick", "the most coins a turn (default: the scenario's; with --rows any number)", metavar="K")
    page.switch("--normal", "normal play: who takes the last coin wins, not loses")
    page.choice("--first", PLAYERS, "who moves first", default=PERSON, metavar="PLAYER")
    page.choice("--second", PLAYERS, "the other player", default="perfect", metavar="PLAYER")
    page.number("--games", "two machines: play so many games and count")
    page.switch("--alternate", "two machines: each moves first in turn (1000 games without --games)")
    page.number("--practice", "games that hats and qlearner have played before", 100_000, least=0)
    page.listing("players", PLAYERS)
    page.seed()


def run(wanted: Wanted) -> None:
    """Play a scenario of The Coin Game, or rows of your own: people, machines or both."""
    game = SCENARIOS.get(wanted.scenario) or CoinGame(wanted.rows, max_pick=None)
    game = CoinGame(game.rows, wanted.max_pick or game.max_pick, misere=not wanted.normal)
    names = wanted.first, wanted.second
    if PERSON in names and (wanted.games or wanted.alternate):
        raise ValueError("--games and --alternate are for two machines; choose --first and --second without a person")
    seats = [
        None if name == PERSON else machine(game, name, seed, wanted.practice)
        for name, seed in zip(names, SeedSequence(wanted.seed).spawn(2))
    ]
    say(rules(game))
    if wanted.games or wanted.alternate:
        count(game, seats, wanted)
    else:
        Coins(game, seats, names).run()


def numbers_of_coins(words: str) -> tuple[int, ...]:
    return tuple(map(whole(0), words.split(",")))


def rules(game: CoinGame) -> str:
    """What may be taken from what, and who wins, in two sentences."""
    most = "any number of coins" if game.max_pick is None else f"1 to {game.max_pick} coins"
    most = {1: "1 coin", 2: "1 or 2 coins"}.get(game.max_pick, most)
    rows = f"{'Row' if len(game.rows) == 1 else 'Rows'} of {', '.join(map(str, game.rows))}"
    last = f"{game.ending.capitalize()}: who takes the last coin {'loses' if game.misere else 'wins'}."
    return f"{rows}: take {most} from one row. {last}"


def machine(game: CoinGame, name: str, seed, practice: int):
    """The agent of that name; learners have practised, each with itself."""
    with ctrl_c_leaves():
        return named.agent(name, game, seed, practice)


class Coins(Program):
    """People are asked, and told of what machines do."""

    def __init__(self, game: CoinGame, seats: tuple, names: tuple[str, str]) -> None:
        super().__init__(game, seats)
        self.names = names

    def show(self, match: Match) -> None:
        names = [self.row_name(row) for row in range(len(match.state))]
        width, widest = len(str(max(self.game.rows))), max(map(len, names))
        say()
        for name, held in zip(names, match.state):
            coins = "o" * min(held, WIDEST) + " ..." * (held > WIDEST)
            say(f"{name:>{widest}}: {held:>{width}}  {coins}".rstrip())

    def row_name(self, row: int) -> str:
        """What a row is called."""
        return f"row {row}"

    def answer(self, state: State, player: int) -> str:
        question = "How many coins do you take" if len(state) == 1 else "Which row, and how many coins, such as 0 1"
        return ask(f"Player {player}: {question}? ")

    def tell(self, match: Match) -> None:
        player, (row, taken) = 3 - match.turn, match.moves[-1]
        say(f"Player {player} ({self.names[player - 1]}) takes {taken} from {self.row_name(row)}.")

    def end(self, match: Match) -> None:
        if self.seats.count(None) == 1:
            self.won.append(self.seats[match.winner - 1] is None)
        say((f"Player {match.winner} wins: {match.reason}.", "bold"))

    def again(self) -> bool:
        return None in self.seats and super().again()


def count(game: CoinGame, machines: list, wanted: Wanted) -> None:
    """Many games between two machines, counted for each."""
    first = "alternate" if wanted.alternate else "agent"
    found = evaluate(game, *machines, games=wanted.games or 1_000, first=first)
    say(f"{found.games:,} games, {'the first move alternates' if wanted.alternate else 'player 1 moves first'}.")
    sides = (wanted.first, found.wins, found.forfeits), (wanted.second, found.losses, found.opponent_forfeits)
    for player, (name, wins, forfeits) in enumerate(sides, 1):
        low, high = wilson(wins, found.games)
        lost = f"; {forfeits:,} forfeited by an illegal move" if forfeits else ""
        rate = f"{wins / found.games:.1%}, 95 % interval {low:.1%} to {high:.1%}"
        say(f"player {player}, {name}: {wins:,} won ({rate}){lost}")
    if found.error:
        say(f"stopped: {found.error}")
