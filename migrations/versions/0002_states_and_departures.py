"""States of matches, and who left them

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MATCHES = ("table_id", "seen", "state", "state_v")
HANDS = ("dealer", "v")
DEALER_SQLITE = """
UPDATE hands
SET dealer = CAST(substr(substr(record, instr(record, '\nhand ' || hand_no || ' dealer ')), 15 + length(hand_no), 1)
  AS INTEGER)
WHERE instr(record, '\nhand ' || hand_no || ' dealer ') > 0
"""
DEALER_POSTGRES = """
UPDATE hands SET dealer = CAST(substring(record from '\nhand [0-9]+ dealer ([0-9])') AS INTEGER)
WHERE record ~ '\nhand [0-9]+ dealer [0-9]'
"""


def upgrade() -> None:
    # Plain columns at the end: no database has to rebuild a table for them.
    op.add_column("matches", sa.Column("table_id", sa.String(64), nullable=True))
    op.add_column("matches", sa.Column("seen", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("state", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("state_v", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("hands", sa.Column("dealer", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("hands", sa.Column("v", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("ix_matches_table_id", "matches", ["table_id"])
    op.create_table(
        "departures",
        sa.Column("match", sa.String(64), nullable=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_departures_match", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_departures_player"),
        sa.PrimaryKeyConstraint("match", "player", name="pk_departures"),
    )
    op.create_index("ix_departures_player", "departures", ["player"])

    # What older rows can tell: a hand's record names its dealer, a digit; a match lived until its last hand at least.
    op.execute(DEALER_SQLITE if op.get_bind().dialect.name == "sqlite" else DEALER_POSTGRES)
    op.execute(
        "UPDATE matches SET seen = coalesce(ended, "
        "(SELECT max(hands.ended) FROM hands WHERE hands.match = matches.id), started)"
    )


def downgrade() -> None:
    op.drop_index("ix_departures_player", "departures")
    op.drop_table("departures")
    op.drop_index("ix_matches_table_id", "matches")
    with op.batch_alter_table("hands") as hands:
        for column in HANDS:
            hands.drop_column(column)
    with op.batch_alter_table("matches") as matches:
        for column in MATCHES:
            matches.drop_column(column)
