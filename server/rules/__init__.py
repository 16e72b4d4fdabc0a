"""The games: pure values and functions.

Knows no tables, sockets, databases or clocks. Time and chance are arguments; a hand is an immutable value,
and a step is `(new hand, events)`.
"""
