"""The contract of the page: the whole vocabulary between the table and the score page.

The table says a `Page` whenever something changes, and a `Picture` when the camera has one. A Page
carries all that is drawn, so that this library knows no shapes and no rules. People ask with a
`Command`, and the table answers each; `Phones` says who may ask. A message of another version or
form is refused with one sentence, never guessed at. The layers, each knowing only those above it:

    codes         the codes that a page says and an arbiter asks
    schema        frozen dataclasses to JSON and back, checked
    arbiter_page  the part of the page for arbiters alone
    page          all that is shown of a game at one moment
    commands      everything a paired phone can ask of the table
    requests      commands, pairing, and the table's answers
    framing       messages on the wire: a header and a body
"""

from web.contract.arbiter_page import Hints, Level, Point, Private, Setup
from web.contract.codes import Code, How, Mark, Rule, Scoring, Square, Word
from web.contract.commands import (
    Calibrate,
    Choose,
    EditionKey,
    End,
    EndTurn,
    GameKey,
    Hint,
    Inspect,
    Laid,
    NewGame,
    Overrule,
    Pause,
    Refuse,
    Resign,
    Resume,
    Stand,
    Takeback,
    Timing,
    TurnEnd,
    Undo,
    Unpair,
    Wish,
)
from web.contract.framing import LONGEST_BODY, Alive, Decoder, Message, Picture, encode
from web.contract.page import (
    BoardPiece,
    Candidate,
    Clock,
    Colour,
    Move,
    Page,
    Reason,
    Result,
    Side,
    State,
    TrayPiece,
)
from web.contract.requests import (
    NUMBER_DIGITS,
    Answer,
    Command,
    Pair,
    Phones,
    Refusal,
    fingerprint,
    is_fingerprint,
)
from web.contract.schema import VERSION, ContractError, OtherVersionError

__all__ = [
    "LONGEST_BODY",
    "NUMBER_DIGITS",
    "VERSION",
    "Alive",
    "Answer",
    "BoardPiece",
    "Calibrate",
    "Candidate",
    "Choose",
    "Clock",
    "Code",
    "Colour",
    "Command",
    "ContractError",
    "Decoder",
    "EditionKey",
    "End",
    "EndTurn",
    "GameKey",
    "Hint",
    "Hints",
    "How",
    "Inspect",
    "Laid",
    "Level",
    "Mark",
    "Message",
    "Move",
    "NewGame",
    "OtherVersionError",
    "Overrule",
    "Page",
    "Pair",
    "Pause",
    "Phones",
    "Picture",
    "Point",
    "Private",
    "Reason",
    "Refusal",
    "Refuse",
    "Resign",
    "Result",
    "Resume",
    "Rule",
    "Scoring",
    "Setup",
    "Side",
    "Square",
    "Stand",
    "State",
    "Takeback",
    "Timing",
    "TrayPiece",
    "TurnEnd",
    "Undo",
    "Unpair",
    "Wish",
    "Word",
    "encode",
    "fingerprint",
    "is_fingerprint",
]
