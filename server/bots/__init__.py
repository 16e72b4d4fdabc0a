"""The house's own players: pure policies that choose an action from what one seat sees and may do.

Knows the rules, and nothing of tables, sockets, databases or clocks. Chance is an argument.
"""
