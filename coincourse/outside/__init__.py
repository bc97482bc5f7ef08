"""Agents from elsewhere: tournaments, the AI Sandbox, PettingZoo and Gymnasium."""
