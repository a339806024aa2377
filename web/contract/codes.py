"""Codes used in pages and in commands, one word each."""

from enum import StrEnum

Square = tuple[int, int]
"""Row from the top and column from the left, both from 0."""


class RefereeState(StrEnum):
    """States of the referee, one of which the page always shows."""

    SEARCHING = "searching"
    NEW_GAME = "new-game"
    ANEW_ASKED = "new-game-asked"
    WAITING = "waiting"
    HAND = "hand"
    SETTLING = "settling"
    ACCEPTED = "accepted"
    TO_LIFT = "to-lift"
    REFUSED = "refused"
    DISTURBED = "disturbed"
    UNSURE = "unsure"
    BOARD_LOST = "board-lost"
    CAMERA_AWAY = "camera-away"
    PAUSED = "paused"
    GAME_OVER = "game-over"


class BoardFailureCode(StrEnum):
    """Reasons that the board is not found in a picture."""

    NO_BOARD = "no-board"
    COVERED = "covered"
    PARTIAL = "partial"
    TWO_BOARDS = "two-boards"
    DRAWING = "drawing"
    TOO_SMALL = "too-small"
    TOO_DARK = "too-dark"
    OVEREXPOSED = "overexposed"
    OUT_OF_FOCUS = "out-of-focus"
    BLURRED = "blurred"
    MOVED_AWAY = "moved-away"
    OTHER_COLOURS = "other-colours"
    NO_COLOURS = "no-colours"
    BANDS = "bands"
    MIRRORED = "mirrored"


class CameraFaultCode(StrEnum):
    """Reasons for which a camera gives no pictures."""

    MISSING = "missing"
    BUSY = "busy"
    NO_PERMISSION = "no-permission"
    UNREACHABLE = "unreachable"
    PASSWORD = "password"  # noqa: S105, a code
    NO_PICTURES = "no-pictures"
    SILENT = "silent"
    STANDS_STILL = "stands-still"
    OTHER_SIZE = "other-size"
    FAILED = "failed"


class PictureAudience(StrEnum):
    """Those to whom the page shows pictures of the camera."""

    NOBODY = "nobody"
    PAIRED = "paired"
    EVERYBODY = "everybody"


class HintFailureCode(StrEnum):
    """Reasons for which the player gives no hint."""

    NOT_INSTALLED = "not-installed"
    NO_MEMORY = "no-memory"
    NOT_STARTED = "not-started"
    ENDED = "ended"
    NO_MOVE = "no-move"
    LATE = "late"


class HintStepCode(StrEnum):
    """Parts of a hint that are revealed one after another; a puzzle has steps of its own."""

    WHERE = "where"
    """One square of the move; only in games of earlier versions."""

    REACH = "reach"
    """Two squares of the move; only in games of earlier versions."""

    SOLVABLE = "solvable"
    """In a puzzle, the answer alone; see `AnswerCode`."""

    AREA = "area"
    """Some squares about those of the next piece."""

    PIECE = "piece"
    """The piece and some squares about its own; in a puzzle one of them."""

    SQUARE = "square"
    """The piece and one of its squares."""

    WHOLE = "whole"
    """The piece and all its squares."""

    REASON = "reason"
    """The same with the reasons for the move."""


class HintAmountCode(StrEnum):
    """Parts of a hint that a person may be shown."""

    NONE = "none"
    AREA_AND_PIECE = "area-and-piece"
    EVERYTHING = "everything"


class MoveReasonCode(StrEnum):
    """Kinds of reasons for a move; all but the two proofs hold for few of the legal moves."""

    ONLY_WINNING = "only-winning"
    """Proved: it wins by so many points, and no other move wins."""

    PROVEN = "proven"
    """Proved: the margin in points, below 0 for a loss; no move has a better one."""

    TAKES_THE_WISH = "takes-the-wish"
    """The move that the computer expects of the next opponent is possible no more."""

    KEEPS_OPTIONS = "keeps-options"
    """Own placements after it."""

    BLOCKS = "blocks"
    """Placements that the opponents lose."""

    SHUTS_OUT = "shuts-out"
    """Squares that the opponents can cover no more."""

    REACHES = "reaches"
    """New squares that own pieces can cover."""

    TAKES_CORNERS = "takes-corners"
    """Corners of the opponents that it covers."""

    STRANDS = "strands"
    """Pieces of the opponents that have no place left in their next turn."""

    LARGE_NOW = "large-now"
    """Places that its piece of five squares had left."""


class AnswerCode(StrEnum):
    """Answers to the question whether a puzzle can still be solved."""

    NOT_ASKED = "not-asked"
    """Nobody has asked since the last change of the board."""

    THINKING = "thinking"
    SOLVABLE = "solvable"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


class MeasurementCode(StrEnum):
    """States of a measurement of the set-up."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class RuleCode(StrEnum):
    """Rules that a piece can break."""

    OFF_BOARD = "off-board"
    OUTSIDE_FIELD = "outside-field"
    OVERLAP = "overlap"
    NOT_A_PIECE = "not-a-piece"
    TWO_PIECES = "two-pieces"
    WRONG_SIZE = "wrong-size"
    PIECE_USED = "piece-used"
    TOUCHES_OWN_SIDE = "touches-own-side"
    NO_OWN_CORNER = "no-own-corner"
    MISSES_START = "misses-start"
    WRONG_TURN = "wrong-turn"
    GAME_OVER = "game-over"
    NOT_CHOSEN = "not-chosen"
    """The computer has chosen another placement for its piece."""

    STILL_THINKING = "still-thinking"
    """The computer has not chosen yet."""


class Mark(StrEnum):
    """Marks that distinguish a piece on the board."""

    NONE = "none"
    LAST = "last"
    PENDING = "pending"
    REFUSED = "refused"


class ScoringCode(StrEnum):
    """Scorings: the most points win, or the fewest squares in hand."""

    ADVANCED = "advanced"
    BASIC = "basic"


class EndReasonCode(StrEnum):
    """Reasons for which a game ended: its rules, or a command of the arbiter."""

    SCORE = "score"
    RESIGNED = "resigned"
    TIME = "time"
    ABANDONED = "abandoned"
    SOLVED = "solved"
    """A puzzle was solved."""


class CommandName(StrEnum):
    """Names of all commands; `web.contract.commands` defines their fields."""

    NEW_GAME = "new-game"
    BEGIN_ANEW = "begin-anew"
    REMATCH = "rematch"
    CHOOSE = "choose"
    REFUSE = "refuse"
    UNDO = "undo"
    STAND = "stand"
    OVERRULE = "overrule"
    PAUSE = "pause"
    RESUME = "resume"
    RESIGN = "resign"
    END = "end"
    END_TURN = "end-turn"
    ASSIGN_SEAT = "assign-seat"
    CALIBRATE = "calibrate"
    INSPECT = "inspect"
    MEASURE_LENS = "measure-lens"
    PROBE_LIGHTS = "probe-lights"
    CHECK_LIGHTS = "check-lights"
    HINT = "hint"
    CANCEL_HINT = "cancel-hint"
    UNPAIR = "unpair"
