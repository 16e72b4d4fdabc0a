"""A shuffle that nobody can steer and anybody can check.

The server draws a secret seed for each hand and shows its hash before the deal; each seated client adds a
nonce. Seed and nonces together drive the shuffle, and both are shown after the hand.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256, shake_256
from typing import TypeVar

SEED_BYTES = 96
"""A shuffle of 108 cards needs log2(108!) = 578 bits, so the customary 256 could not reach every deal; 768
can.
"""
BLOCK = 136
"""Bytes that one round of SHAKE-256 gives; a longer stream costs another round for each."""

T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """The hash of a seed in hex, published before the deal."""
    return sha256(b"upcard seed" + seed).hexdigest()


def entropy(seed: bytes, nonces: Sequence[str]) -> bytes:
    """What a hand is dealt from: the seed and each seat's nonce, empty for a bot or an absent player.

    Every part is preceded by its length, so that no two different lists of nonces give the same bytes.
    """
    parts = (seed, *(nonce.encode() for nonce in nonces))
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def derived(entropy: bytes, purpose: str) -> str:
    """A secret of its own for what chance decides later in a hand, in hex; it tells nothing about the deal."""
    return shake_256(purpose.encode() + entropy).hexdigest(SEED_BYTES)


class Dice:
    """Chance as an argument: the same entropy gives the same throws on every machine and Python version."""

    def __init__(self, entropy: bytes) -> None:
        self._source = shake_256(entropy)
        self._stream = b""
        self._at = 0

    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely.

        Draws as many bits as n-1 has and rejects what is too high; a remainder would favour the low numbers.
        """
        if n < 1:
            raise ValueError("below() needs at least one possibility")
        bits = (n - 1).bit_length()
        while True:
            number = int.from_bytes(self._take((bits + 7) // 8), "big") & ((1 << bits) - 1)
            if number < n:
                return number

    def shuffled(self, cards: Iterable[T]) -> tuple[T, ...]:
        """The cards in an order that every permutation has the same chance of (Fisher and Yates).

        Up to 256 cards take a byte a throw, and `below` is written out: a deal is as long as several moves.
        """
        order = list(cards)
        if len(order) > 256:
            raise ValueError("a shuffle is of at most 256 cards")
        for last in range(len(order) - 1, 0, -1):
            mask, other = (1 << last.bit_length()) - 1, len(order)
            while other > last:
                if self._at == len(self._stream):
                    self._grow()
                other = self._stream[self._at] & mask
                self._at += 1
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def _take(self, count: int) -> bytes:
        if self._at + count > len(self._stream):
            self._grow()
        self._at += count
        return self._stream[self._at - count : self._at]

    def _grow(self) -> None:
        """A longer digest of the same input begins with the shorter one, so growing it goes on in one stream."""
        self._stream = self._source.digest(max(2 * len(self._stream), 2 * BLOCK))
