"""The learners in plain Python: as a student writes them after the lessons, and in one tight loop.

One row of sticks, misère play: whoever takes the last stick loses. The first two are written to be
read, with a game, players and a loop that asks them in turn, as in the lessons. The other two do the
same work with all of it written out in a single loop, for whoever wonders what that alone would bring.
"""

from __future__ import annotations

import random

MOST = 3  # sticks that one move may take


# --- to be read ------------------------------------------------------------------------------------------


class Sticks:
    """The sticks on the table."""

    def __init__(self, sticks: int) -> None:
        self.left = sticks

    def legal_moves(self) -> list[int]:
        return list(range(1, min(MOST, self.left) + 1))

    def take(self, count: int) -> None:
        if count not in self.legal_moves():
            raise ValueError(f"{self.left} sticks are left; asked to take {count}")
        self.left -= count

    def is_over(self) -> bool:
        return self.left == 0


class RandomPlayer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, game: Sticks) -> int:
        return self.random.choice(game.legal_moves())


class QPlayer:
    """A value for each state and move."""

    def __init__(self, sticks: int, rate=1.0, discount=1.0, exploration=0.0, seed: int = 0) -> None:
        self.values = {left: dict.fromkeys(Sticks(left).legal_moves(), 0.0) for left in range(sticks + 1)}
        self.rate, self.discount, self.exploration = rate, discount, exploration
        self.random = random.Random(seed)

    def choose(self, game: Sticks) -> int:
        if self.random.random() < self.exploration:
            return self.random.choice(game.legal_moves())
        values = self.values[game.left]
        return max(values, key=values.get)  # the first of equals

    def learn(self, state: int, move: int, reward: float, next_state: int) -> None:
        best = max(self.values[next_state].values(), default=0.0)
        old = self.values[state][move]
        self.values[state][move] = old + self.rate * (reward + self.discount * best - old)


class HatPlayer:
    """A hat for each state, with a number of balls for each move."""

    def __init__(self, sticks: int, seed: int = 0) -> None:
        self.hats = {left: dict.fromkeys(Sticks(left).legal_moves(), 1) for left in range(1, sticks + 1)}
        self.random = random.Random(seed)

    def choose(self, game: Sticks) -> int:
        hat = self.hats[game.left]
        return self.random.choices(list(hat), weights=hat.values())[0]

    def settle(self, beside: list[tuple[int, int]], won: bool) -> None:
        for left, ball in beside:
            if won:
                self.hats[left][ball] += 1
            elif self.hats[left][ball] > 1:
                self.hats[left][ball] -= 1


def train_hats(sticks: int, games: int, seed: int) -> HatPlayer:
    """Hats after `games` games of self-play."""
    player = HatPlayer(sticks, seed)
    for _ in range(games):
        game = Sticks(sticks)
        beside: list[list[tuple[int, int]]] = [[], []]
        turn = 0
        while not game.is_over():
            ball = player.choose(game)
            beside[turn].append((game.left, ball))
            game.take(ball)
            turn = 1 - turn
        player.settle(beside[turn], won=True)  # the other side took the last stick
        player.settle(beside[1 - turn], won=False)
    return player


def train_q(sticks: int, games: int, seed: int) -> list[bool]:
    """The games that a Q-learner won against a random player; the learner moves first."""
    player, opponent = QPlayer(sticks, seed=seed), RandomPlayer(seed + 1)
    won = []
    for _ in range(games):
        game = Sticks(sticks)
        while not game.is_over():
            state, move, reward = game.left, player.choose(game), 0.0
            game.take(move)
            if game.is_over():
                reward = -1.0
            else:
                game.take(opponent.choose(game))
                if game.is_over():
                    reward = 1.0
            player.learn(state, move, reward, game.left)
        won.append(reward > 0)
    return won


# --- in one tight loop -----------------------------------------------------------------------------------


def train_hats_tight(sticks: int, games: int, seed: int) -> list[list[int]]:
    """``hats[left][take - 1]``, a number of balls, after `games` games of self-play."""
    chance = random.Random(seed).random
    hats = [[1] * min(MOST, left) for left in range(sticks + 1)]
    for _ in range(games):
        left = sticks
        beside = []
        while left > 0:
            hat = hats[left]
            rest = chance() * sum(hat)
            take = 1
            for balls in hat:
                if rest < balls:
                    break
                rest -= balls
                take += 1
            beside.append((hat, take - 1))
            left -= take
        won = False  # whoever took the last stick has lost
        for hat, ball in reversed(beside):
            if won:
                hat[ball] += 1
            elif hat[ball] > 1:
                hat[ball] -= 1
            won = not won
    return hats


def train_q_tight(sticks: int, games: int, seed: int) -> list[bool]:
    """The games that a Q-learner won against a random player, with learning rate 1, discount 1, no exploration."""
    chance = random.Random(seed).random
    table = [[0.0] * min(MOST, left) for left in range(sticks + 1)]
    won = []
    for _ in range(games):
        left = sticks
        while left > 0:
            values = table[left]
            take = values.index(max(values))
            left -= take + 1
            if left == 0:
                values[take] = -1.0  # the learner took the last stick
                won.append(False)
                break
            left -= 1 + int(chance() * (min(left, MOST)))
            if left == 0:
                values[take] = 1.0
                won.append(True)
            else:
                values[take] = max(table[left])
    return won
