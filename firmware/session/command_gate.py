"""Checks an arbiter's commands: sender, repetition, and the commands that a game allows.

The commands are executed by `firmware.session.game_session` and the controller. All functions are
pure; `CommandGate` stores ids and the number that the lights show.
"""

from collections import deque
from collections.abc import Callable
from math import ceil
from typing import Final

from firmware.codes import EndReason, TurnEnd
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig
from firmware.game.hints import can_be_given, exhausted, none_agreed
from firmware.game.state import GameState
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.rules.variants import VARIANTS, Colour, named_edition
from firmware.session.pairing import NUMBER_LIVES_S, Pairing
from web.contract import (
    Choose,
    Command,
    CommandName,
    CommandRequest,
    EndGame,
    Hint,
    NewGame,
    PairRequest,
    PlacedPiece,
    RefusalReason,
    Reply,
    Resign,
)

_SETUP: Final = frozenset(
    {
        CommandName.CALIBRATE,
        CommandName.INSPECT,
        CommandName.MEASURE_LENS,
        CommandName.PROBE_LIGHTS,
        CommandName.CHECK_LIGHTS,
    }
)
"""Commands of the set-up."""

ALWAYS: Final = _SETUP | {
    CommandName.NEW_GAME,
    CommandName.CANCEL_HINT,
    CommandName.UNPAIR,
    CommandName.FORGET,
}
"""Commands that every game allows."""

_NEVER_STALE: Final = _SETUP | {
    CommandName.CANCEL_HINT,
    CommandName.UNPAIR,
    CommandName.FORGET,
    CommandName.PAUSE,
    CommandName.SWITCH_OFF,
}
"""Commands that do not depend on the page that the sender saw."""

_MOST_IDS: Final = 1000
"""Number of newest command ids that are stored, to detect repetitions."""

SHOWN_S: Final = 130.0
"""Seconds for which the lights show a number: four times, see `firmware.lights.digit_font`."""

SHOW_AGAIN_S: Final = NUMBER_LIVES_S
"""Seconds until a phone can make the lights show another number: as long as the last one, which
somebody may be typing, is valid. The time doubles after each number that nobody typed, so that
somebody far away cannot occupy the lights. A button at the table needs no wait."""

LONGEST_AGAIN_S: Final = 3600.0
"""Greatest seconds until another number, however often `SHOW_AGAIN_S` was doubled."""


class CommandGate:
    """Admits commands of paired phones, each id once, and answers requests for pairing.

    Args:
        pairing: the paired phones.
    """

    def __init__(self, pairing: Pairing) -> None:
        self._pairing: Final = pairing
        self._ids: Final[deque[str]] = deque(maxlen=_MOST_IDS)
        self._number = ""
        self._shown_s = float("-inf")
        self._again_s = 0.0

    def authorise(
        self,
        request: CommandRequest,
        state: GameState,
        config: GameConfig,
        current: range,
        *,
        clears_board: bool = False,
        can_switch_off: bool = False,
    ) -> RefusalReason | None:
        """Returns the reason to refuse a command; None if it is allowed.

        Args:
            request: the command as received.
            state: the state of the game.
            config: settings of the game.
            current: revisions of the pages that show the present state.
            clears_board: see `allowed_commands`.
            can_switch_off: see `allowed_commands`.
        """
        if not self._pairing.knows(request.token):
            return RefusalReason.NOT_PAIRED
        if not self._is_new(request.id):
            return RefusalReason.REPEATED
        command = request.command
        if command.name not in _NEVER_STALE and request.revision not in current:
            return RefusalReason.STALE
        if isinstance(command, Hint):
            return hint_refusal(state, config)
        allowed = allowed_commands(
            state, config, clears_board=clears_board, can_switch_off=can_switch_off
        )
        is_possible = command.name in allowed and _exists(command, state)
        return None if is_possible else RefusalReason.NOT_POSSIBLE

    def answer_pairing(
        self, request: PairRequest, now: float, *, can_show: bool, takes_camera: bool = False
    ) -> Reply:
        """Answers a phone that sent a number, or asks the table to show one.

        Args:
            request: a request with a number, or without.
            now: seconds of the machine's monotonic clock.
            can_show: True if the lights have room for a number.
            takes_camera: True if a phone can be the camera.
        """
        if request.camera and not takes_camera:
            return Reply(request.id, RefusalReason.NOT_POSSIBLE)
        if request.camera and not request.number:
            return self._camera_number(request, now)
        if not (request.number or can_show):
            return Reply(request.id, RefusalReason.NOT_POSSIBLE)
        if not self._is_new(request.id):
            return Reply(request.id, RefusalReason.REPEATED)
        if not request.number:
            return self._show(request, now)
        return self._attempt(request, now)

    def show_code(self, now: float) -> None:
        """Shows a number on request of a person at the table, without the waiting time."""
        self._number, self._shown_s = self._pairing.issue_short_code(now), now

    def shown_code(self, now: float) -> str:
        """Returns the number that the lights show; empty if they show none."""
        return self._number if now - self._shown_s < SHOWN_S else ""

    def _camera_number(self, request: PairRequest, now: float) -> Reply:
        """Draws a number that makes another phone the camera, for a paired phone."""
        if not self._pairing.knows(request.token):
            return Reply(request.id, RefusalReason.NOT_PAIRED)
        return Reply(request.id, number=self._pairing.issue_camera_code(now))

    def _show(self, request: PairRequest, now: float) -> Reply:
        """Shows a number on request of a phone, unless the waiting time lasts."""
        since = now - self._shown_s
        if since < self._again_s:
            return Reply(request.id, RefusalReason.WAIT, wait_s=ceil(self._again_s - since))
        self.show_code(now)
        self._again_s = min(max(2 * self._again_s, SHOW_AGAIN_S), LONGEST_AGAIN_S)
        return Reply(request.id)

    def _attempt(self, request: PairRequest, now: float) -> Reply:
        verify = self._pairing.verify_camera_code if request.camera else self._pairing.verify_code
        token = verify(request.number, now)
        if not token:
            return Reply(request.id, RefusalReason.WRONG_NUMBER)
        if not request.camera:
            self._number, self._again_s = "", SHOW_AGAIN_S
        return Reply(request.id, token=token)

    def _is_new(self, identity: str) -> bool:
        """True if an id is not stored yet; stores it."""
        if identity in self._ids:
            return False
        self._ids.append(identity)
        return True


def allowed_commands(
    state: GameState,
    config: GameConfig,
    *,
    clears_board: bool = False,
    can_switch_off: bool = False,
) -> frozenset[CommandName]:
    """Returns the commands that a game allows in its present state.

    Args:
        state: the state of the game.
        config: settings of the game.
        clears_board: True if the board is empty as soon as a game begins. Elsewhere a finished
            game is followed by a rematch when people have cleared the board, not before: the old
            pieces would count as a position from which the rematch begins.
        can_switch_off: True if the table's machine can be switched off.
    """
    allowed = ALWAYS | {name for name, allows in _CONDITIONS.items() if allows(state, config)}
    if clears_board and state.over:
        allowed |= {CommandName.REMATCH}
    return allowed | {CommandName.SWITCH_OFF} if can_switch_off else allowed


def hint_refusal(state: GameState, config: GameConfig) -> RefusalReason | None:
    """Returns the reason to refuse a hint to the player to move; None if it is allowed."""
    if CommandName.HINT not in allowed_commands(state, config):
        return RefusalReason.NOT_POSSIBLE
    if none_agreed(state, config):
        return RefusalReason.NO_HINTS_AGREED
    return RefusalReason.HINTS_SPENT if exhausted(state, config) else None


def places_refusal(state: GameState, config: GameConfig, colour: Colour) -> RefusalReason | None:
    """Returns the reason not to tell where a piece of a colour may go; None if it is allowed."""
    position = state.position
    at_play = _at_play(state) and not (state.over or state.level or position.game.puzzle)
    if not (at_play and position.may_lay(colour)):
        return RefusalReason.NOT_POSSIBLE
    is_help = config.hints and not none_agreed(state, config)
    return None if is_help else RefusalReason.NO_HINTS_AGREED


def _exists(command: Command, state: GameState) -> bool:
    """True if the candidate, side or end named by a command exists."""
    if isinstance(command, Choose):
        return command.candidate < len(state.candidates)
    if isinstance(command, Resign):
        sides = state.position.game.sides
        return command.side < len(sides) and not state.resigned.issuperset(sides[command.side])
    if isinstance(command, EndGame):
        if state.position.game.puzzle is not None:
            return command.how is EndReason.ABANDONED
        return command.how is not EndReason.TIME or bool(state.timed_out)
    return True


def _at_play(state: GameState) -> bool:
    return not state.paused and state.ended is None


_CONDITIONS: Final[dict[CommandName, Callable[[GameState, GameConfig], bool]]] = {
    CommandName.BEGIN_ANEW: lambda state, _: state.anew_size is not None,
    CommandName.CHOOSE: lambda state, _: _at_play(state) and bool(state.candidates),
    CommandName.REFUSE: lambda state, _: (
        _at_play(state) and bool(state.to_lift or state.in_doubt or state.history)
    ),
    CommandName.UNDO: lambda state, _: _at_play(state) and bool(state.history),
    CommandName.SET_POSITION: lambda state, _: _at_play(state),
    CommandName.OVERRULE: lambda state, _: (
        _at_play(state) and bool(state.to_lift or state.refused) and not state.pending
    ),
    CommandName.PAUSE: lambda state, _: _at_play(state) and not state.over,
    CommandName.RESUME: lambda state, _: not _at_play(state) or state.anew_size is not None,
    CommandName.RESIGN: lambda state, config: not state.over and config.game.puzzle is None,
    CommandName.END: lambda state, _: not state.over,
    CommandName.ASSIGN_SEAT: lambda state, config: not state.over and config.game.puzzle is None,
    CommandName.HINT: lambda state, config: (
        _at_play(state) and not state.over and config.hints > 0 and can_be_given(state, config)
    ),
    CommandName.END_TURN: lambda state, config: (
        _at_play(state) and not state.over and config.turn_end is TurnEnd.BUTTON
    ),
}
"""Condition of each command that only some states allow; see also `ALWAYS`."""


def config_from(command: NewGame) -> GameConfig:
    """Returns the settings of a game from the command that begins it.

    Raises:
        RulesError: its parts contradict each other.
    """
    game = VARIANTS[command.game]
    pace = TimeControl(command.timing, command.clock_s, command.step_s)
    if command.shared is not None:
        game = game.sharing(command.shared)
    return GameConfig(
        game,
        named_edition(command.edition.value, game),
        command.first or None,
        command.names,
        command.seats,
        command.scoring,
        command.takeback,
        command.turn_end,
        pace if game.puzzle is None else TimeControl(),
        command.hints,
        hint_amount=command.hint_amount,
        computer=command.computer,
    )


def set_up(pieces: tuple[PlacedPiece, ...], turn: int, before: Position) -> Position:
    """Returns the position that an arbiter sets, which may break rules.

    Raises:
        RulesError: something is no piece, occurs twice, or overlaps another piece.
    """
    game = before.game
    position = Position.start(game, before.starts)
    laid = set()
    for one in pieces:
        squares = [row * game.size + column for row, column in one.squares]
        outside = any(max(square) >= game.size for square in one.squares)
        index = None if outside else position.board.find(squares)
        if index is None or one.colour not in game.colours:
            raise RulesError("this is no piece of the game")
        move = position.board.move(index)
        if (one.colour, move.piece) in laid:
            raise RulesError(f"piece {move.piece.name} is there twice")
        laid.add((one.colour, move.piece))
        position = position.put(move, one.colour)
    if turn not in game.colours:
        raise RulesError("the turn is of a colour of the game")
    return position.with_turn(turn)
