"""Tables: the life around a hand.

The pure part knows no sockets, stores or clocks: what a table is (`table`), what may be asked of it (`commands`),
what comes of that (`decide`, with `seats`, `match` and `timers`) and is told (`events`), and what leaves it: `views`
for those who look on, `keeping` for the archive. `forms`, `logbook` and `answered` say how it is written down.

The shell knows no rules of any game: `store` speaks to Redis over `redis_link`, `service` executes commands, `hub`
shows what they changed, `ticker` does what is due, `archiver` carries what is finished away. Begin with `table` and
`decide`.
"""
