"""Bots against each other: the same deals from every seat, scored with an interval, timed, and rated.

Knows rules and bots, and nothing of tables, sockets, databases.
"""
