"""How many hands a match had finished, at the latest moment known

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain columns at the end: no database has to rebuild a table for them.
    op.add_column("matches", sa.Column("hands", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("hands_at", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("hands")
        matches.drop_column("hands_at")
