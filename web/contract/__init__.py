"""What is shown: the whole vocabulary between the table and the score page.

The table says a `Page` whenever something changes, and a `Picture` when the camera has one.
A Page carries all that is drawn, so that this library knows no shapes and no rules. A message
of another version or form is refused with one sentence, never guessed at.
"""

from web.contract.form import VERSION, ContractError
from web.contract.page import (
    BoardPiece,
    Code,
    Colour,
    Mark,
    Move,
    Page,
    Reason,
    Result,
    Rule,
    Scoring,
    Side,
    Square,
    State,
    TrayPiece,
)
from web.contract.wire import LONGEST_BODY, Alive, Decoder, Message, Picture, encode

__all__ = [
    "LONGEST_BODY",
    "VERSION",
    "Alive",
    "BoardPiece",
    "Code",
    "Colour",
    "ContractError",
    "Decoder",
    "Mark",
    "Message",
    "Move",
    "Page",
    "Picture",
    "Reason",
    "Result",
    "Rule",
    "Scoring",
    "Side",
    "Square",
    "State",
    "TrayPiece",
    "encode",
]
