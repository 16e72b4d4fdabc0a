"""How Alembic reaches the archive.

Over the connection it is handed, or, for its own command, at UPCARD_DATABASE_URL.
"""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, text

from server.archive.models import Base
from server.archive.session import migrating


def run(connection: Connection) -> None:
    """Run what was asked for; SQLite, which cannot alter much, rebuilds tables instead."""
    sqlite = connection.dialect.name == "sqlite"
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=sqlite)
    with context.begin_transaction():
        context.run_migrations()
    if sqlite and connection.execute(text("PRAGMA foreign_key_check")).first():
        raise RuntimeError("The migration would leave rows behind whose match or player is gone.")


async def run_by_address() -> None:
    """For `alembic revision --autogenerate`, `alembic current` and the like."""
    async with migrating(os.environ["UPCARD_DATABASE_URL"]) as connection:
        await connection.run_sync(run)


if context.is_offline_mode():
    raise SystemExit("Needs a database: set UPCARD_DATABASE_URL and leave out --sql.")
if (given := context.config.attributes.get("connection")) is not None:
    run(given)
else:
    asyncio.run(run_by_address())
