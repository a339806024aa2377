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
    SWITCHING_OFF = "switching-off"


class PictureAudience(StrEnum):
    """Those to whom the page shows pictures of the camera."""

    NOBODY = "nobody"
    PAIRED = "paired"
    EVERYBODY = "everybody"


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


class Mark(StrEnum):
    """Marks that distinguish a piece on the board."""

    NONE = "none"
    LAST = "last"
    PENDING = "pending"
    REFUSED = "refused"


class CommandName(StrEnum):
    """Names of all commands; `web.contract.commands` defines their fields."""

    NEW_GAME = "new-game"
    BEGIN_ANEW = "begin-anew"
    REMATCH = "rematch"
    CHOOSE = "choose"
    REFUSE = "refuse"
    UNDO = "undo"
    SET_POSITION = "stand"
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
    SWITCH_OFF = "switch-off"
    FORGET = "forget"
