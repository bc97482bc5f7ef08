"""What the triangle lab tells of a game: the last moves with their cost, the score, and what can be announced."""

from __future__ import annotations

from coinlib.arguments import counted

from ..base.match_on_screen import COMPUTER, YOU, does, verb
from ..base.pages import TEMPLATES
from .triangle_cells import ENDS
from .triangle_state import PLAYERS, Triangle


def tell(data: Triangle, promised: bool = True) -> tuple[str, str]:
    """The last moves with their cost; and the score, with what can still be announced where that may be said."""
    names = data.match.names
    first, second = data.points
    announced = promise(data) if promised and data.run else ""
    if not data.moves:
        begins = "Your turn." if names[0] == YOU else f"{names[0]} moves first."
        return begins, announced
    moves = _last_moves(data)
    score = f"{names[0]} {first}, {_within(names[1])} {second}"
    lead = abs(first - second)
    leader = names[1] if second > first else names[0]
    if data.run:
        stand = f"{_within(leader)} {verb(leader, 'lead')} by {lead}" if lead else "nobody leads"
        return moves, f"{score}: {stand}. {announced}".strip()
    wins = f"{does(leader, 'win')} by {lead}." if lead else "A tie."
    costs = [sum(data.costs[0::2]), sum(data.costs[1::2])]
    lost = "; ".join(f"{_within(name)} {cost}" for name, cost in zip(names, costs))
    best = f"When both play perfectly, who moves first gets {data.greedy.value}."
    return f"{moves} {wins}", f"{score}. Points of the margin lost by mistakes: {lost}. {best}"


def _last_moves(data: Triangle) -> str:
    """The last move in words; the computer's together with yours before it."""
    number = len(data.moves)
    last = data.match.names[(number - 1) % 2]
    since = 2 if number > 1 and last == COMPUTER else 1
    return " ".join(_move_in_words(data, ply) for ply in range(number - since, number))


def _move_in_words(data: Triangle, ply: int) -> str:
    """One move, with what it cost."""
    takes = f"{does(data.match.names[ply % 2], 'take')} the {data.match.rewards[ply]}"
    left, right = data.runs[ply]
    if left == right:
        return f"{takes}, the last coin."
    takes = f"{takes} on the {ENDS[data.moves[ply]]}"
    cost = data.costs[ply]
    if cost:
        return f"{takes}. A mistake: it costs {counted(cost, 'point')} of the margin."
    if data.greedy.moves[left, right] == "LR":
        return f"{takes}. It costs nothing; nor would the other end."
    return f"{takes}. It costs nothing."


def promise(data: Triangle) -> str:
    """What a player can announce, whatever the other does: you if you play, else Alice."""
    names = data.match.names
    side = names.index(YOU) if YOU in names else 0
    more = int(data.greedy.alice[data.run])
    if side == 1:  # Bob gets what Alice does not get.
        more = sum(data.match.game.coins_left(data.match.state)) - more
    points = data.points[side]
    amount = f"{more} more, {points + more} in all" if points else f"{more}"
    words = f"{names[side]} can announce: “I get at least {amount}, whatever you do.”"
    if data.tease:
        return f"{words} Both ends are equally good: let the computer choose your move."
    return words


def _within(name: str) -> str:
    """A name in the middle of a sentence."""
    return name if name in PLAYERS else name.lower()


TEMPLATES.filters["tell"] = tell
