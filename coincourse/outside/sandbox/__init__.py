"""Agents from outside: a server and a client of the AI Sandbox protocol for The Coin Game.

`CoinGame.proto` defines the messages; `wire` sends them over a socket, `server` plays games between
agents that join it, and `client` joins with an agent.
"""

from coincourse.outside.sandbox.client import Client, join, words
from coincourse.outside.sandbox.server import Server, serve

__all__ = ["Client", "Server", "join", "serve", "words"]
