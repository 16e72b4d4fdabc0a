"""Who is asking: a player is a signed cookie."""

from __future__ import annotations

import base64
import hashlib
import secrets

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import Struct
from starlette.requests import HTTPConnection

COOKIE = "upcard"


class Player(Struct, frozen=True):
    """A person. The id is a secret between cookie and server; other players never see it."""

    id: str
    name: str


def _signer(secret: bytes) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="upcard-player")


def new_player_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_hex(16)


def pseudonym(player_id: str) -> str:
    """A player's name in the logs: always the same, and no way back to the id, which is as random as it is long."""
    return hashlib.blake2s(player_id.encode(), digest_size=5).hexdigest()


def tag(player_id: str) -> str:
    """Four characters that tell players of one name apart, on pages that everybody sees.

    Always the same, without a way back to the id, nor to the name in the logs.
    """
    digest = hashlib.blake2s(player_id.encode(), digest_size=5, person=b"tag").digest()
    return base64.b32encode(digest).decode().lower()[:4]


def sign(player: Player, secret: bytes) -> str:
    """The cookie's value."""
    return str(_signer(secret).dumps(msgspec.to_builtins(player)))


def player_of(connection: HTTPConnection, secret: bytes) -> Player | None:
    """The player of a request or socket; None without a session that we signed."""
    cookie = connection.cookies.get(COOKIE)
    if cookie is None:
        return None
    try:
        return msgspec.convert(_signer(secret).loads(cookie), Player)
    except (BadSignature, msgspec.ValidationError):
        return None
