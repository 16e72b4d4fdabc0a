"""Refusals: a code with parameters, never a sentence; the client words it in the player's language."""

from enum import StrEnum


class Code(StrEnum):
    """Every reason a move or a command can be refused for (notation.md, table-life.md).

    In backticks: what `detail` tells, where it is known.
    """

    # turn
    NOT_YOUR_TURN = "not_your_turn"
    """Another seat is asked; `turn` is which."""
    WRONG_PHASE = "wrong_phase"
    """Not at this point of the turn (`phase`) or of the match."""
    HAND_OVER = "hand_over"
    """The hand has ended."""
    # cards
    NOT_IN_HAND = "not_in_hand"
    """`card` is not in the hand, or not as often as named."""
    NO_SUCH_MELD = "no_such_meld"
    """No meld on the table has the number `meld`."""
    DISCARD_EMPTY = "discard_empty"
    """There is nothing to take."""
    STOCK_EMPTY = "stock_empty"
    """There is nothing to draw."""
    MUST_DRAW = "must_draw"
    """Too many turns without a draw or a meld: `take` has to wait for a draw from the stock."""
    RETURN_TAKEN = "return_taken"
    """The card just taken from the pile may not go straight back."""
    # status
    LOCKED = "locked"
    """Only for those who have laid the melds that are asked for first; perhaps not in that same turn."""
    JOKER_PENDING = "joker_pending"
    """A Joker taken from the table has to be used first."""
    FORCED = "forced"
    """The centre card has to be melded."""
    MUST_DISCARD = "must_discard"
    """After melding a card has to be thrown."""
    # shape
    MELD_SIZE = "meld_size"
    """Fewer than three cards, or no meld at all; or more than `most`."""
    NOT_A_MELD = "not_a_meld"
    """Neither one rank nor one suit."""
    TOO_MANY_JOKERS = "too_many_jokers"
    """More Jokers than a meld may have."""
    TOO_FEW_NATURALS = "too_few_naturals"
    """Fewer than two cards that are no Jokers."""
    SUIT_REPEATED = "suit_repeated"
    """A group with one suit twice."""
    GROUP_FULL = "group_full"
    """A group has four cards at most."""
    COLOURS_TOUCH = "colours_touch"
    """Two neighbours of the same colour in a group whose colours have to alternate."""
    RUN_ORDER = "run_order"
    """A run is laid from low to high; in another order these cards would be one."""
    RUN_GAP = "run_gap"
    """The cards do not follow each other, and no Joker fills the gap."""
    RUN_TOO_LONG = "run_too_long"
    """A run has thirteen cards at most, or `most` of them."""
    ACE_LOW_ONLY = "ace_low_only"
    """A run that goes over the King: the Ace is low."""
    ACE_WRAPS = "ace_wraps"
    """A run that goes over the Ace: it is low or high, not both."""
    JOKER_NO_PLACE = "joker_no_place"
    """The Joker cannot stand for `card` there, or for anything."""
    # fit
    DOES_NOT_FIT = "does_not_fit"
    """The cards (or `card`) do not belong to that meld; in a menu: nothing can be melded with the centre card."""
    SUIT_PRESENT = "suit_present"
    """The group has the suit of `card` already."""
    SWAP_INSTEAD = "swap_instead"
    """A Joker holds the place of `card`: swap it."""
    NOT_REPRESENTED = "not_represented"
    """No Joker of that meld stands for `card`."""
    # Joker duty
    SWAP_WITHOUT_USE = "swap_without_use"
    """The Joker could not be used at once in another meld."""
    SWAP_NEEDS_EXTENSION = "swap_needs_extension"
    """A run of three has to grow to four in the same swap."""
    JOKER_SAME_MELD = "joker_same_meld"
    """The Joker may not go back to the meld it came from."""
    # totals and finishing
    OPENING_TOO_LOW = "opening_too_low"
    """The first lay comes to `points`, and the options ask for `needed`."""
    NO_FINISH_ON_OPENING = "no_finish_on_opening"
    """Only who opened in an earlier turn may go out; till then a card to keep has to be left."""
    KEEP_ONE_CARD = "keep_one_card"
    """A card for the discard has to be left."""
    # the centre card
    NOT_YOUR_MELD = "not_your_meld"
    """`card` lies on the opponent's table."""
    CARD_TWICE = "card_twice"
    """`card` is named more than once."""
    MELD_CARD_MISSING = "meld_card_missing"
    """`card` lies on the player's own table and has to stay there."""
    CENTRE_NOT_USED = "centre_not_used"
    """Cards go down only together with the centre card, `card`."""
    CANNOT_FORCE = "cannot_force"
    """The card does not fit the opponent's table, or the opponent has not declined it."""
    FORCING_OFF = "forcing_off"
    """The table plays without forcing."""
    # tables
    STALE_DECISION = "stale_decision"
    """The question that was answered has passed; the newest frame has the present one."""
    SEAT_TAKEN = "seat_taken"
    """Somebody sits there, or everywhere."""
    ALREADY_SEATED = "already_seated"
    """One player, one seat at a table."""
    NOT_SEATED = "not_seated"
    """Only for those who sit at the table."""
    NO_SUCH_TABLE = "no_such_table"
    """There is none with this id, or not any more."""
    NO_SUCH_SEAT = "no_such_seat"
    """The table has no such seat, or nobody in it whom that could be done to."""
    NOT_HOST = "not_host"
    """Only the host may do that."""
    BARRED = "barred"
    """Whoever left this table's match, or was sent away, does not come back to it."""
    HELP_OFF = "help_off"
    """The table plays without `meld_help`."""
    PRIVATE = "private"
    """A private table opens to its seats and to its token only."""
    PAUSED = "paused"
    """No person is connected, so nothing goes on."""
    NO_CLAIM = "no_claim"
    """That choice is not open for that seat (any more)."""
    BOTS_OFF = "bots_off"
    """The table plays without bots."""
    # doors
    RATE_LIMITED = "rate_limited"
    """Too much in too short a time; the same again a little later is fine."""
    UNAVAILABLE = "unavailable"
    """The servers cannot do it now; the same again a little later is fine."""
    BAD_OPTION = "bad_option"
    """`option` is unknown, has no such value, or does not go with the others."""
    MALFORMED = "malformed"
    """No message of this protocol; nothing of it was looked at."""


Detail = dict[str, int | str]


class Refused(Exception):
    """An action or command that is not allowed now; nothing has changed."""

    def __init__(self, code: Code, **detail: int | str) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail
