"""Refusals: a code with parameters, never a sentence; the client words it in the player's language."""

from enum import StrEnum


class Code(StrEnum):
    """Every reason a move or a command can be refused for (notation.md, table-life.md)."""

    # turn
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    HAND_OVER = "hand_over"
    # cards
    NOT_IN_HAND = "not_in_hand"
    NO_SUCH_MELD = "no_such_meld"
    DISCARD_EMPTY = "discard_empty"
    STOCK_EMPTY = "stock_empty"
    MUST_DRAW = "must_draw"
    RETURN_TAKEN = "return_taken"
    # status
    LOCKED = "locked"
    JOKER_PENDING = "joker_pending"
    # shape
    MELD_SIZE = "meld_size"
    NOT_A_MELD = "not_a_meld"
    TOO_MANY_JOKERS = "too_many_jokers"
    TOO_FEW_NATURALS = "too_few_naturals"
    SUIT_REPEATED = "suit_repeated"
    GROUP_FULL = "group_full"
    RUN_GAP = "run_gap"
    RUN_TOO_LONG = "run_too_long"
    ACE_LOW_ONLY = "ace_low_only"
    JOKER_NO_PLACE = "joker_no_place"
    # fit
    DOES_NOT_FIT = "does_not_fit"
    SUIT_PRESENT = "suit_present"
    SWAP_INSTEAD = "swap_instead"
    NOT_REPRESENTED = "not_represented"
    # Joker duty
    SWAP_WITHOUT_USE = "swap_without_use"
    SWAP_NEEDS_EXTENSION = "swap_needs_extension"
    JOKER_SAME_MELD = "joker_same_meld"
    # totals and finishing
    OPENING_TOO_LOW = "opening_too_low"
    NO_FINISH_ON_OPENING = "no_finish_on_opening"
    KEEP_ONE_CARD = "keep_one_card"
    # tables
    STALE_DECISION = "stale_decision"
    SEAT_TAKEN = "seat_taken"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_SEAT = "no_such_seat"
    NOT_HOST = "not_host"
    BARRED = "barred"
    HELP_OFF = "help_off"
    PRIVATE = "private"
    PAUSED = "paused"
    NO_CLAIM = "no_claim"
    BOTS_OFF = "bots_off"
    # doors
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    BAD_OPTION = "bad_option"
    MALFORMED = "malformed"


Detail = dict[str, int | str]


class Refused(Exception):
    """An action or command that is not allowed now; nothing has changed."""

    def __init__(self, code: Code, **detail: int | str) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail
