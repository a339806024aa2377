"""The codes of the contract: what a page says and an arbiter asks in one word each."""

from enum import StrEnum

Square = tuple[int, int]
"""Row from the top and column from the left, from 0."""


class RefereeState(StrEnum):
    """What the referee is doing, as the page shows it at all times."""

    WAITING = "waiting"
    HAND = "hand"
    SETTLING = "settling"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    DISTURBED = "disturbed"
    UNSURE = "unsure"
    BOARD_LOST = "board-lost"
    PAUSED = "paused"
    GAME_OVER = "game-over"


class RuleCode(StrEnum):
    """Every rule that a piece can break."""

    OFF_BOARD = "off-board"
    OVERLAP = "overlap"
    NOT_A_PIECE = "not-a-piece"
    TWO_PIECES = "two-pieces"
    PIECE_USED = "piece-used"
    TOUCHES_OWN_SIDE = "touches-own-side"
    NO_OWN_CORNER = "no-own-corner"
    MISSES_START = "misses-start"
    WRONG_TURN = "wrong-turn"
    GAME_OVER = "game-over"


class Mark(StrEnum):
    """How a piece on the board is set apart from the others."""

    NONE = "none"
    LAST = "last"
    PENDING = "pending"
    REFUSED = "refused"


class ScoringCode(StrEnum):
    """Which scoring the scores are in: most points win, or fewest squares in hand."""

    ADVANCED = "advanced"
    BASIC = "basic"


class EndReasonCode(StrEnum):
    """How a game ended: by its rules, or by a word of the arbiter."""

    SCORE = "score"
    RESIGNED = "resigned"
    TIME = "time"
    ABANDONED = "abandoned"


class CommandName(StrEnum):
    """Everything that can be asked of the table; `web.contract.commands` has the rest of each."""

    NEW_GAME = "new-game"
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
    CALIBRATE = "calibrate"
    INSPECT = "inspect"
    HINT = "hint"
    UNPAIR = "unpair"
