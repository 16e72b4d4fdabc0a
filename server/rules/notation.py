"""text"""

from server.rules.game import Add, AnyAction, Discard, Draw, Lay, Swap, Take


def action_text(action: AnyAction) -> str:
    """An action in the notation."""
    match action:
        case Draw():
            return "draw"
        case Take():
            return "take"
        case Lay():
            return "lay " + " / ".join(" ".join(meld) for meld in action.melds)
        case Add():
            end = f" {action.end}" if action.end else ""
            return f"add {' '.join(action.cards)} to {action.meld}{end}"
        case Swap():
            extend = f" with {' '.join(action.extend)}" if action.extend else ""
            then = f" then {action_text(action.then)}" if action.then else ""
            return f"swap {action.card} in {action.meld}{extend}{then}"
        case Discard():
            return f"discard {action.card}"
