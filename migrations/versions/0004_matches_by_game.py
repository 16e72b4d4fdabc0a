"""The finished matches of a game, newest first

Revision ID: 0004
Revises: 0003
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Workers of the release before write on as they did; while it is built, what they finish waits in the store.
    op.create_index("ix_matches_game_ended", "matches", ["game", "ended"])


def downgrade() -> None:
    op.drop_index("ix_matches_game_ended", "matches")
