"""Words that table, page, journal and settings have in common.

It imports nothing, so that a page that needs the words alone stays small.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Rule(StrEnum):
    """The rules that can be broken, in the order they are reported."""

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
    """The computer has chosen another placement; `against` has its squares."""

    STILL_THINKING = "still-thinking"
    """The computer has not chosen yet."""


class Scoring(StrEnum):
    """The two scorings; they can give different winners."""

    ADVANCED = "advanced"
    BASIC = "basic"


ALL_PLACED_BONUS = 15
"""Points of a colour that placed all 21 pieces."""

MONOMINO_LAST_BONUS = 5
"""Points besides `ALL_PLACED_BONUS` if the last piece was the single square."""


class Takeback(StrEnum):
    """Deadline for lifting one's own accepted piece."""

    UNTIL_NEXT_MOVE = "until-next-move"
    ARBITER = "arbiter"
    ANY = "any"
    """In a puzzle, any piece at any time, as long as the rest of the board is right without it."""


class TurnEnd(StrEnum):
    """End of a turn: the placed piece, or the player's button."""

    ITSELF = "itself"
    BUTTON = "button"


class Timing(StrEnum):
    """Kinds of time control."""

    NONE = "none"
    SUDDEN_DEATH = "sudden-death"
    INCREMENT = "increment"
    DELAY = "delay"


class HintAmount(StrEnum):
    """Part of a hint that a person may be shown."""

    NONE = "none"
    AREA_AND_PIECE = "area-and-piece"
    EVERYTHING = "everything"


class HintStep(StrEnum):
    """Part of a hint that is revealed; see `firmware.game.hints` for their order."""

    WHERE = "where"
    """As `SQUARE`, without the piece; only in journals of earlier versions."""

    REACH = "reach"
    """That square and the farthest from it; only in journals of earlier versions."""

    SOLVABLE = "solvable"
    """In a puzzle, that the board can still be solved; no square."""

    AREA = "area"
    """The free squares of a part of the field in which the piece begins."""

    PIECE = "piece"
    """In a game the piece; in a puzzle the piece, its colour and one square, as in `SQUARE`."""

    SQUARE = "square"
    """One square: the one that touches an own corner, or covers a starting point."""

    WHOLE = "whole"
    """All its squares."""

    REASON = "reason"
    """The reasons for the move, with their squares."""


class EndReason(StrEnum):
    """Reason for the end of a game: its rules, or a command of the arbiter."""

    SCORE = "score"
    RESIGNED = "resigned"
    TIME = "time"
    ABANDONED = "abandoned"
    SOLVED = "solved"
    """A puzzle was solved; no command ends a game so."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """Result of a finished game: a winning side, sides that are equal, a solved puzzle, or none.

    Attributes:
        winner: colours of the side that won; none in a tie, in a puzzle or without a result.
        tied: colours of the sides that share the first place; none if one side won.
        how: reason for the end; abandoned without a result. On a page a puzzle is solved or
            abandoned.
    """

    winner: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    how: EndReason = EndReason.SCORE


class MoveReasonCode(StrEnum):
    """Kinds of reasons, those that are given first at the top."""

    ONLY_WINNING = "only-winning"
    """The exact margin in points, where every other legal move is proved not to win; no squares."""

    PROVEN = "proven"
    """The exact margin in points of a best move where another move is worse; no squares."""

    TAKES_THE_WISH = "takes-the-wish"
    """Squares of the move that a search with the turn passed expects of the next opponent, which
    is legal in P and not in Q; their number."""

    KEEPS_OPTIONS = "keeps-options"
    """Number of own legal placements in Q; corners at the new piece that one of them covers."""

    BLOCKS = "blocks"
    """Placements that the opponents have in P and not in Q; squares of the move that one covers."""

    SHUTS_OUT = "shuts-out"
    """Squares that placements of an opponent cover in P and not in Q, added over opponents."""

    REACHES = "reaches"
    """Squares that own placements cover in Q and not in P."""

    TAKES_CORNERS = "takes-corners"
    """Squares of the move at a corner of an opponent's own pieces that its placements cover."""

    STRANDS = "strands"
    """Pieces of the opponents with a placement in P and none in Q; the squares of those in P."""

    LARGE_NOW = "large-now"
    """Placements in P of the piece of the move, of five squares; squares of the move."""


class PlayerFailure(StrEnum):
    """Reasons for which the player gives no answer; the codes stay."""

    NOT_INSTALLED = "not-installed"
    INSTALLING = "installing"
    NO_MEMORY = "no-memory"
    NOT_STARTED = "not-started"
    ENDED = "ended"
    NO_MOVE = "no-move"
    LATE = "late"


AUTO_CAMERA = "auto"
"""Source of pictures: the first camera that answers, until a phone is chosen."""

PHONE_CAMERA = "phone"
"""Source of pictures: the camera of a phone; also the name of that camera."""


class CameraFault(StrEnum):
    """Reasons for which a camera gives no pictures; the codes stay."""

    MISSING = "missing"
    BUSY = "busy"
    NO_PERMISSION = "no-permission"
    UNREACHABLE = "unreachable"
    PASSWORD = "password"  # noqa: S105, a code
    NO_PICTURES = "no-pictures"
    SILENT = "silent"
    STANDS_STILL = "stands-still"
    OTHER_SIZE = "other-size"
    NO_PHONE = "no-phone"
    FAILED = "failed"


class GameKey(StrEnum):
    """Games and puzzles that can be started."""

    DUO = "duo"
    CLASSIC = "classic"
    CLASSIC_2 = "classic-2"
    CLASSIC_3 = "classic-3"
    CLASSIC_TEAMS = "classic-teams"
    DUO_4 = "duo-4"
    DUO_4_3 = "duo-4-3"
    PUZZLE_ALL = "puzzle-all"
    PUZZLE_ALL_BY_SIZE = "puzzle-all-by-size"
    PUZZLE_TETROMINOES = "puzzle-tetrominoes"
    PUZZLE_TETROMINOES_APART = "puzzle-tetrominoes-apart"
    PUZZLE_PENTOMINOES = "puzzle-pentominoes"
    PUZZLE_PENTOMINOES_APART = "puzzle-pentominoes-apart"


class EditionKey(StrEnum):
    """Editions of the pieces, by their colours; `AUTO` reads them off the board."""

    AUTO = "auto"
    PURPLE_ORANGE = "purple-orange"
    BLACK_WHITE = "black-white"
    BLUE_GREEN = "blue-green"
    RED_YELLOW = "red-yellow"
    FOUR = "blue-yellow-red-green"


class LightPlace(StrEnum):
    """Place of the LEDs: under the board, or on a panel beside it, which no piece covers."""

    UNDER = "under"
    BESIDE = "beside"


class Translucency(StrEnum):
    """Light transmission of the pieces."""

    OPAQUE = "opaque"
    TRANSLUCENT = "translucent"


class ChainCorner(StrEnum):
    """First corner of a chain, seen from above with the board's top row at the far side."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


class ChainDirection(StrEnum):
    """First direction of a chain."""

    ROWS = "rows"
    COLUMNS = "columns"


Order = Literal["GRB", "RGB", "BRG", "BGR", "RBG", "GBR"]
"""Order of the three bytes of an LED on the wire; nearly all WS2812 use GRB."""

Bus = Literal["spi", "pwm", "pcm"]
"""Hardware with which the library makes its pulses."""
