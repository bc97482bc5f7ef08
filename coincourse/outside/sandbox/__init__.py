"""Agents from outside: a server and a client of the AI Sandbox protocol for The Coin Game.

What travels is written down in `CoinGame.proto`; `wire` puts it on a socket, `server` plays games
between agents that join it, and `client` lets an agent join.
"""

from coincourse.outside.sandbox.client import Client, join, words
from coincourse.outside.sandbox.server import Server, serve

__all__ = ["Client", "Server", "join", "serve", "words"]
