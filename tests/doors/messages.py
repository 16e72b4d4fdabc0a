"""One message of every kind of the protocol, from the union itself: a new one cannot be forgotten."""

from __future__ import annotations

import typing

import msgspec

from server.protocol import PROTOCOL, AnyClientMessage
from server.rules.actions import Draw

VALUES: dict[str, typing.Any] = {
    "id": "x",
    "table": "0-abcdefghijklm",
    "game": "konken",
    "protocol": PROTOCOL,
    "on": True,
    "seat": 0,
    "decision": 0,
    "action": Draw(),
    "choice": "wait",
    "phrase": 0,
    "name": "Ada",
}
"""Something for every field that has to be given."""


def one_of_each(**values: typing.Any) -> dict[str, AnyClientMessage]:
    """By tag, every message of a client with its required fields, and those of `values` that it has."""
    return {str(cls.__struct_config__.tag): _filled(cls, values) for cls in _messages()}


def _messages() -> tuple[type[AnyClientMessage], ...]:
    return typing.get_args(AnyClientMessage)


def _filled(cls: type[AnyClientMessage], values: dict[str, typing.Any]) -> AnyClientMessage:
    given: dict[str, typing.Any] = {}
    for field in msgspec.structs.fields(cls):
        if field.name in values:
            given[field.name] = values[field.name]
        elif field.required:
            given[field.name] = VALUES[field.name]
    return cls(**given)
