"""Players, matches, seats, hands

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("by", sa.String(20), nullable=True),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_table(
        "match_seats",
        sa.Column("match", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.String(64), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("bot", sa.String(20), nullable=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("stood_in", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_match_seats_match", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_match_seats_player"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_match_seats"),
    )
    op.create_index("ix_match_seats_player", "match_seats", ["player"])
    op.create_table(
        "hands",
        sa.Column("match", sa.String(64), nullable=False),
        sa.Column("hand_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("ending", sa.String(20), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("commitment", sa.String(128), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("nonces", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_hands_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "hand_no", name="pk_hands"),
    )


def downgrade() -> None:
    op.drop_table("hands")
    op.drop_index("ix_match_seats_player", "match_seats")
    op.drop_table("match_seats")
    op.drop_table("matches")
    op.drop_table("players")
