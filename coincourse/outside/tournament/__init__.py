"""A round robin of entries from outside, each in its own process, with ratings and replays."""

from coincourse.outside.tournament.entries import BUILT_IN
from coincourse.outside.tournament.results import Tournament, ratings, read_tournament
from coincourse.outside.tournament.rounds import run_tournament

__all__ = ["BUILT_IN", "Tournament", "ratings", "read_tournament", "run_tournament"]
