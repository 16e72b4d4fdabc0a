"""Tables: the life around a hand.

The pure part (`table`, `commands`, `events`, `decide`, `timers`, `views`) knows no sockets, stores or clocks; the
shell (`store`, `service`, `hub`, `ticker`, `archiver`) knows no rules of any game.
"""
