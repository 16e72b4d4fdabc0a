"""Named sets of options, for those who will not read them all; `quick` is what *Play now* plays."""

from __future__ import annotations

from server.rules.registry import GameName

Preset = dict[str, int | str]
"""The options that differ from the game's defaults."""

PRESETS: dict[GameName, dict[str, Preset]] = {
    "konken": {
        "source": {},
        "quick": {"target": 100, "max_hands": 8},
        "fifty_one": {
            "hand_size": 14,
            "opening_points": 51,
            "must_open_before_layoff": "on",
            "must_discard_to_finish": "on",
        },
    },
    "conker": {
        "source": {},
        "quick": {"target": 200, "max_hands": 5},
        "scala": {"long_lay": "on", "scoring": "penalty", "target": 201},
        "double": {"joker_close_double": "on"},
    },
    "conquian": {
        "source": {},
        "quick": {"wins": 2},
        "mexican": {"deal": 8, "exchange": "on", "short_deal_run_cap": "none", "draw_carry": "none"},
        "club": {"deal": 9},
    },
}
