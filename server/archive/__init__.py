"""The archive: players, matches and every finished hand, in Postgres or SQLite.

Knows no live tables, stores or sockets: it takes what a table has finished, and answers its players later.
"""
