"""`coinlib coins`: any rows of coins, either ending, between people, machines or both."""

from __future__ import annotations

from numpy.random import SeedSequence

from coinlib import named
from coinlib.agents import HumanAgent
from coinlib.arena import Match, evaluate, wilson
from coinlib.games import SCENARIOS, CoinGame, Move, State
from coinlib.solvers import solve

from .play import Program
from .talk import Page, Wanted, ask, ctrl_c_leaves, say, whole

PERSON = "person"
COIN, WIDEST = "o", 60  # a sign for a coin, and how many of them in a line
PLAYERS = {PERSON: "asks somebody", **{name: agent.words for name, agent in named.AGENTS.items()}}


def options(page: Page) -> None:
    known = f"one of {', '.join(SCENARIOS)}"
    page.add_argument("scenario", nargs="?", metavar="SCENARIO", type=str.upper, choices=SCENARIOS, help=known)
    page.add_argument("--rows", type=numbers_of_coins, metavar="N,N,...", help="rows of your own, such as 1,3,5,7")
    most = "the most coins one turn may take (default: the scenario's; with --rows any number)"
    page.number("--max-pick", most, metavar="K")
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
    game, names = _game(wanted), (wanted.first, wanted.second)
    if PERSON in names and (wanted.games or wanted.alternate):
        raise ValueError("--games and --alternate are for two machines; choose --first and --second without a person")
    seeds = SeedSequence(wanted.seed).spawn(2)
    seats = tuple(machine(game, name, seed, wanted.practice) for name, seed in zip(names, seeds))
    say(f"{rules(game)} {game.ending.capitalize()}: who takes the last coin {'loses' if game.misere else 'wins'}.")
    if wanted.games or wanted.alternate:
        _count(game, seats, wanted)
    else:
        Coins(game, seats, wanted).run()


def numbers_of_coins(words: str) -> tuple[int, ...]:
    return tuple(map(whole(0), words.split(",")))


def _game(wanted: Wanted) -> CoinGame:
    """The game that was asked for."""
    if (wanted.scenario is None) == (wanted.rows is None):
        raise ValueError(f"expected a scenario ({', '.join(SCENARIOS)}) or --rows, such as --rows 1,3,5,7")
    game = SCENARIOS.get(wanted.scenario) or CoinGame(wanted.rows, max_pick=None)
    return CoinGame(game.rows, wanted.max_pick or game.max_pick, misere=not wanted.normal)


def rules(game: CoinGame) -> str:
    """What may be taken from what, in a sentence."""
    most = "any number of coins" if game.max_pick is None else f"1 to {game.max_pick} coins"
    most = {1: "1 coin", 2: "1 or 2 coins"}.get(game.max_pick, most)
    rows = ", ".join(map(str, game.rows))
    return f"{'Row' if len(game.rows) == 1 else 'Rows'} of {rows}: take {most} from one row."


def machine(game: CoinGame, name: str, seed, practice: int):
    """The agent of that name, None for a person; learners have practised, each with itself."""
    if name == PERSON:
        return None
    if name == "mirror" and len(game.rows) != 2:
        raise ValueError(f"mirror needs two rows; this game has {len(game.rows)}")
    if name == "perfect":
        solve(game)  # now: later it is remembered, and a game too large is refused at once
    with ctrl_c_leaves():
        return named.agent(name, game, seed, practice)


class Coins(Program):
    """People are asked, and told of what machines do."""

    def show(self, state: State) -> None:
        width, digits = len(str(max(self.game.rows))), len(str(len(state) - 1))
        say()
        for row, held in enumerate(state):
            coins = COIN * min(held, WIDEST) + " ..." * (held > WIDEST)
            say(f"row {row:>{digits}}: {held:>{width}}  {coins}".rstrip())

    def ask(self, state: State, player: int) -> Move:
        question = "How many coins do you take" if len(state) == 1 else "Which row, and how many coins, such as 0 1"
        return HumanAgent(ask=lambda _: ask(f"Player {player}: {question}? "), say=say)(self.game, state)

    def tell(self, match: Match) -> None:
        player, (row, count) = 3 - match.turn, match.moves[-1]
        name = self.wanted.first if player == 1 else self.wanted.second
        say(f"Player {player} ({name}) takes {count} from row {row}.")

    def end(self, match: Match) -> None:
        if self.seats.count(None) == 1:
            self.won.append(self.seats[match.winner - 1] is None)
        say((f"Player {match.winner} wins: {match.reason}.", "bold"))

    def again(self) -> bool:
        return None in self.seats and super().again()


def _count(game: CoinGame, machines: tuple, wanted: Wanted) -> None:
    """Many games between two machines, counted for each."""
    first = "alternate" if wanted.alternate else "agent"
    found = evaluate(game, *machines, games=wanted.games or 1_000, first=first)
    one, two = wanted.first, wanted.second
    if one == two:
        one, two = f"{one} 1", f"{two} 2"
    order = "the first move alternates" if wanted.alternate else f"{one} always moves first"
    say(f"{found.games:,} games, {order}.")
    for name, wins, forfeits in ((one, found.wins, found.forfeits), (two, found.losses, found.opponent_forfeits)):
        low, high = wilson(wins, found.games)
        lost = f"; {forfeits:,} forfeited by an illegal move" if forfeits else ""
        say(f"{name}: {wins:,} won ({wins / found.games:.1%}, 95 % interval {low:.1%} to {high:.1%}){lost}")
    if found.error:
        say(f"stopped: {found.error}")
