"""The contract of the page: the whole vocabulary between the table and the score page.

The table says a `Page` whenever something changes, and a `LivePicture` when the camera has one. A
Page carries all that is drawn, so that this library knows no shapes and no rules. People ask with a
`CommandRequest`, and the table answers each; `PairedPhones` says who may ask. A message of another
version or form is refused with one sentence, never guessed at. The layers, each knowing only those
above it:

    codes         the codes that a page says and an arbiter asks
    schema        frozen dataclasses to JSON and back, checked
    arbiter_page  the part of the page for arbiters alone
    page          all that is shown of a game at one moment
    commands      everything a paired phone can ask of the table
    requests      commands, pairing, and the table's answers
    framing       messages on the wire: a header and a body
"""

from web.contract.arbiter_page import (
    ArbiterPage,
    FindingEntry,
    HintAllowance,
    RatingCode,
    SetupEntry,
)
from web.contract.codes import (
    CommandName,
    EndReasonCode,
    Mark,
    RefereeState,
    RuleCode,
    ScoringCode,
    Square,
)
from web.contract.commands import (
    Calibrate,
    Choose,
    Command,
    EditionKey,
    EndGame,
    EndTurn,
    GameKey,
    Hint,
    Inspect,
    NewGame,
    Overrule,
    Pause,
    PlacedPiece,
    Refuse,
    Resign,
    Resume,
    SetPosition,
    TakebackCode,
    TimingCode,
    TurnEndCode,
    Undo,
    Unpair,
)
from web.contract.framing import LONGEST_BODY, FrameDecoder, Heartbeat, LivePicture, Message, encode
from web.contract.page import (
    BoardPiece,
    CandidateEntry,
    Colour,
    MoveEntry,
    Page,
    PlayerClock,
    RefereeStatus,
    Result,
    Side,
    TrayPiece,
    ViolationEntry,
)
from web.contract.requests import (
    NUMBER_DIGITS,
    CommandRequest,
    PairedPhones,
    PairRequest,
    RefusalReason,
    Reply,
    fingerprint,
    is_fingerprint,
)
from web.contract.schema import VERSION, ContractError, OtherVersionError

__all__ = [
    "LONGEST_BODY",
    "NUMBER_DIGITS",
    "VERSION",
    "ArbiterPage",
    "BoardPiece",
    "Calibrate",
    "CandidateEntry",
    "Choose",
    "Colour",
    "Command",
    "CommandName",
    "CommandRequest",
    "ContractError",
    "EditionKey",
    "EndGame",
    "EndReasonCode",
    "EndTurn",
    "FindingEntry",
    "FrameDecoder",
    "GameKey",
    "Heartbeat",
    "Hint",
    "HintAllowance",
    "Inspect",
    "LivePicture",
    "Mark",
    "Message",
    "MoveEntry",
    "NewGame",
    "OtherVersionError",
    "Overrule",
    "Page",
    "PairRequest",
    "PairedPhones",
    "Pause",
    "PlacedPiece",
    "PlayerClock",
    "RatingCode",
    "RefereeState",
    "RefereeStatus",
    "RefusalReason",
    "Refuse",
    "Reply",
    "Resign",
    "Result",
    "Resume",
    "RuleCode",
    "ScoringCode",
    "SetPosition",
    "SetupEntry",
    "Side",
    "Square",
    "TakebackCode",
    "TimingCode",
    "TrayPiece",
    "TurnEndCode",
    "Undo",
    "Unpair",
    "ViolationEntry",
    "encode",
    "fingerprint",
    "is_fingerprint",
]
