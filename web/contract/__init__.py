"""The contract of the page: all messages between the table and the score page.

The table sends a `Page` after each change, and a `LivePicture` when the camera has one. A Page
contains all that is drawn, so that this library needs no shapes and no rules. People send a
`CommandRequest`, and the table replies to each; `PairedPhones` lists the phones that may send
one. A message of another version or form is refused with an error of one sentence. The layers,
each knowing only those above it:

    codes         codes used in pages and in commands
    schema        frozen dataclasses to JSON and back, checked
    arbiter_page  the part of the page for arbiters alone
    page          all that is shown of a game at one moment
    commands      all commands that a paired phone can send
    requests      commands, pairing, and the table's replies
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
    BoardFailureCode,
    CameraFaultCode,
    CommandName,
    EndReasonCode,
    HintFailureCode,
    Mark,
    PictureAudience,
    RefereeState,
    RuleCode,
    ScoringCode,
    Square,
)
from web.contract.commands import (
    BeginAnew,
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
    "BeginAnew",
    "BoardFailureCode",
    "BoardPiece",
    "Calibrate",
    "CameraFaultCode",
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
    "HintFailureCode",
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
    "PictureAudience",
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
