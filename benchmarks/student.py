"""A Q-learner in plain Python, as a student would write it after the lessons.

One row of sticks, misère play: the player who takes the last stick loses. A game, two players, and a loop that asks
them in turn.
"""

from __future__ import annotations

import random

MOST = 3  # sticks that one move may take


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
        self.rate = rate
        self.discount = discount
        self.exploration = exploration
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


def train_q(sticks: int, games: int, seed: int) -> list[bool]:
    """The games that a Q-learner won against a random player; the learner moves first."""
    player, opponent = QPlayer(sticks, seed=seed), RandomPlayer(seed + 1)
    won = []
    for _ in range(games):
        game = Sticks(sticks)
        while not game.is_over():
            state = game.left
            move = player.choose(game)
            reward = 0.0
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
