"""What a page's script does from one message to the picture that shows it, and after it, as a browser's trace tells.

A trace is a list of what the main thread was busy with. Only calls of the page's own files count: not what whoever
looks on evaluates there. What the browser does within such a call, to learn how the page is laid out, is style and
layout, as it would have to be done for the picture anyway; `Performance.getMetrics` counts so, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

CATEGORY = "devtools.timeline"
"""What a trace has to be asked for."""
LAID_OUT = ("UpdateLayoutTree", "Layout")
NEVER = float("inf")

Event = dict[str, Any]


class Spent(NamedTuple):
    """CPU time of script, in ms, that one message has set going."""

    drawn: float
    """Until the picture with it is painted."""
    after: float
    """From then on: what moves, timers, what is heard or kept."""


def pictures(trace: Sequence[Event], files: str) -> Iterator[Spent]:
    """What each message of the page's socket has cost, in the order of their coming. `files`: where its own are."""
    calls = [event for event in trace if event["name"] == "FunctionCall" and files in _source(event)]
    if not calls:
        return
    page = (calls[0]["pid"], calls[0]["tid"])
    thread = [event for event in trace if (event["pid"], event["tid"]) == page and event["ph"] == "X"]
    laid_out = [event for event in thread if event["name"] in LAID_OUT]
    paints = sorted(event["ts"] for event in thread if event["name"] == "Paint")
    starts = sorted(event["ts"] for event in trace if event["name"] == "WebSocketReceive")
    for start, end in pairwise([*starts, NEVER]):
        own = list(_outermost(call for call in calls if start <= call["ts"] < end))
        # The message itself is the first call; there is nothing to paint before it.
        read = own[0]["ts"] + own[0]["dur"] if own else start
        painted = next((paint for paint in paints if paint >= read), NEVER)
        spent = [(call["ts"] < painted, _script(call, laid_out)) for call in own]
        yield Spent(sum(ms for soon, ms in spent if soon), sum(ms for soon, ms in spent if not soon))


def _source(event: Event) -> str:
    source: str = event["args"].get("data", {}).get("url", "")
    return source


def _outermost(calls: Iterator[Event]) -> Iterator[Event]:
    """Those that no other one has called."""
    end = 0.0
    for call in sorted(calls, key=lambda one: (one["ts"], -one["dur"])):
        if call["ts"] >= end:
            end = call["ts"] + call["dur"]
            yield call


def _script(call: Event, laid_out: Sequence[Event]) -> float:
    end = call["ts"] + call["dur"]
    inside = sum(_cpu(event) for event in laid_out if call["ts"] <= event["ts"] < end)
    return (_cpu(call) - inside) / 1000


def _cpu(event: Event) -> float:
    """The thread's own time, without what it waited for a core."""
    return float(event["tdur"] if "tdur" in event else event["dur"])
