"""What opens a finished hand to anybody who is shown it: its match and number, signed by this house.

Nothing of it is stored. It is not the seal of a session: neither can be read as the other.
"""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeSerializer


def _signer(secret: bytes) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="upcard-replay")


def share(match: str, hand_no: int, secret: bytes) -> str:
    """The token of a hand, always the same; whoever has it may see the hand once it has ended, and nothing else."""
    return str(_signer(secret).dumps([match, hand_no]))


def shared(token: str, secret: bytes) -> tuple[str, int] | None:
    """The match and the number of the hand; None unless we have signed it."""
    try:
        match, hand_no = _signer(secret).loads(token)
    except BadSignature:
        return None
    return match, hand_no
