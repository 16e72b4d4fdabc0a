"""Buckets and what is kept of addresses, without a server."""

from __future__ import annotations

import typing
from types import SimpleNamespace

import pytest
from fastapi import WebSocket

from server.buckets import Bucket, Buckets, Rate
from server.gateway import endpoint
from server.gateway.limits import FLOOD, KIND, RATES, SOCKETS_PER_PLAYER, Allowance, Doorkeeper
from server.protocol import AnyClientMessage, Ping, Say


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = Seconds()
    bucket = Bucket(Rate(2, 5), clock)
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]
    clock.now += 1
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 100
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False], "never more than the burst"


def test_buckets_are_apart_and_forgotten_once_full() -> None:
    clock = Seconds()
    buckets = Buckets(Rate(1, 3), clock=clock)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b")
    assert len(buckets) == 2
    clock.now += 2.9
    buckets.forget_full()
    assert len(buckets) == 2
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    clock.now += 1
    buckets.forget_full()
    assert len(buckets) == 1, "b has not been heard of for long enough, a has"
    clock.now += 3
    buckets.forget_full()
    assert len(buckets) == 0


def test_a_crowd_of_addresses_costs_a_bounded_memory() -> None:
    clock = Seconds()
    buckets = Buckets(Rate(1, 3), most=100, clock=clock)
    while buckets.take("greedy"):
        pass
    for n in range(10_000):
        buckets.take(n)
        assert not buckets.take("greedy"), "who goes on asking is not forgotten before the others"
        assert len(buckets) <= 100


def test_every_message_has_a_kind_and_every_kind_a_rate() -> None:
    assert set(KIND) == set(typing.get_args(AnyClientMessage))
    assert set(KIND.values()) <= set(RATES)


def test_an_address_may_have_as_much_as_its_players() -> None:
    clock = Seconds()
    keeper = Doorkeeper(2, 1000, clock)
    sockets = [Allowance(keeper, "home", clock) for _ in range(5)]
    heard = [sum(socket.of(Say("x", "0-abcdefghijklm", 1)) for _ in range(50)) for socket in sockets]
    assert heard == [4, 4, 0, 0, 0], "the third socket finds nothing left"
    other = Allowance(keeper, "elsewhere", clock)
    assert other.of(Say("x", "0-abcdefghijklm", 1))


def test_what_one_socket_is_refused_is_not_taken_from_its_neighbours() -> None:
    clock = Seconds()
    keeper = Doorkeeper(2, 1000, clock)
    loud, quiet = Allowance(keeper, "home", clock), Allowance(keeper, "home", clock)
    assert sum(loud.message() for _ in range(10_000)) == RATES["message"].burst
    assert loud.flooding
    assert sum(quiet.message() for _ in range(100)) == 100
    assert quiet.of(Ping())


def test_a_neighbour_of_a_flood_is_refused_but_not_taken_for_one() -> None:
    clock = Seconds()
    keeper = Doorkeeper(1, 1000, clock)
    loud, quiet = Allowance(keeper, "home", clock), Allowance(keeper, "home", clock)
    while loud.message():
        pass
    for _ in range(3 * FLOOD):
        clock.now += 1 / RATES["message"].per_second / 2  # within its own rate, and the address is exhausted
        loud.message()
        quiet.message()
    assert not quiet.flooding


def test_sockets_have_a_most_by_address_and_together() -> None:
    keeper = Doorkeeper(1, SOCKETS_PER_PLAYER + 3)
    assert [keeper.enter("home") for _ in range(SOCKETS_PER_PLAYER + 2)] == [None] * 8 + ["crowd"] * 2
    assert [keeper.enter(f"house {n}") for n in range(5)] == [None] * 3 + ["full"] * 2
    keeper.leave("home")
    assert keeper.enter("home") is None
    for address in ["home"] * 8 + [f"house {n}" for n in range(3)]:
        keeper.leave(address)
    assert keeper.sizes() == {"sockets": 0, "addresses": 0, "buckets": 0}


async def test_who_is_gone_before_the_socket_opens_is_counted_no_more() -> None:
    keeper = Doorkeeper(1, 10)

    async def accept() -> None:
        raise ConnectionResetError

    context = SimpleNamespace(doorkeeper=keeper, origins=())

    async def nothing(*_: typing.Any) -> typing.Any:
        raise AssertionError

    socket = SimpleNamespace(
        app=SimpleNamespace(state=SimpleNamespace(context=context)),
        headers={},
        client=SimpleNamespace(host="127.0.0.1"),
        accept=accept,
    )
    with pytest.raises(ConnectionResetError):
        await endpoint.socket(typing.cast("WebSocket", socket), nothing, nothing)
    assert keeper.sockets == 0


@pytest.mark.parametrize("kind", sorted(RATES))
def test_what_is_kept_of_an_address_ends_with_its_quiet(kind: typing.Any) -> None:
    clock = Seconds()
    keeper = Doorkeeper(1, 10, clock)
    keeper.take("home", kind)
    assert keeper.sizes()["buckets"] == 1
    clock.now += RATES[kind].burst / RATES[kind].per_second
    assert keeper.sizes()["buckets"] == 0
