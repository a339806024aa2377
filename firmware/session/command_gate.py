"""The arbiter's words, judged: which of them the game as it stands allows, and what it agreed.

What a word does is done by `firmware.session.game_session` and the controller; here is only whether
it may be done, and why not. All of it is pure but the `CommandGate`, which remembers ids and paired
phones.
"""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final

from firmware.game.clock import TimeControl, Timing
from firmware.game.config import GameConfig, Takeback, TurnEnd
from firmware.game.hints import can_be_given, exhausted
from firmware.game.state import GameState
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.rules.scoring import Scoring
from firmware.rules.variants import EDITIONS, GAMES
from firmware.session.pairing import NUMBER_LIVES_S, Pairing
from web.contract import (
    Choose,
    Command,
    CommandName,
    CommandRequest,
    EditionKey,
    EndGame,
    EndReasonCode,
    Hint,
    NewGame,
    PairedPhones,
    PairRequest,
    PlacedPiece,
    RefusalReason,
    Reply,
    Resign,
)

ALWAYS: Final = frozenset(
    {CommandName.NEW_GAME, CommandName.CALIBRATE, CommandName.INSPECT, CommandName.UNPAIR}
)
"""Words that every game allows."""

_UNSEEN: Final = frozenset(
    {CommandName.CALIBRATE, CommandName.INSPECT, CommandName.UNPAIR, CommandName.PAUSE}
)
"""Words that do not depend on what the sender saw; they are never stale."""

_MOST_IDS: Final = 1000

SHOWN_S: Final = 130.0
"""How long the lights show a number: four times over, see `firmware.lights.digit_font`."""

SHOW_AGAIN_S: Final = NUMBER_LIVES_S
"""After how long the lights show another number to whoever asks with a phone: not before the one
that somebody may be typing has run out. Twice as long after each number that nobody typed, lest
somebody far away keeps the lights from the game. Whoever holds a button at the table need not
wait."""

LONGEST_AGAIN_S: Final = 3600.0


class CommandGate:
    """Where commands arrive: each id is taken once, and only from a paired phone.

    Args:
        pairing: knows the paired phones; None where nobody may ask.
    """

    def __init__(self, pairing: Pairing | None) -> None:
        self._pairing: Final = pairing
        self._ids: Final[OrderedDict[str, None]] = OrderedDict()
        self._number = ""
        self._shown_s = float("-inf")
        self._again_s = 0.0

    def authorise(
        self, request: CommandRequest, state: GameState, config: GameConfig, seen: range
    ) -> RefusalReason | None:
        """Why a command is refused, if it is.

        Args:
            request: as it came.
            state: the game.
            config: settings of the game.
            seen: revisions of the pages that showed the game as it stands.
        """
        if self._pairing is None or not self._pairing.knows(request.token):
            return RefusalReason.NOT_PAIRED
        if not self._takes(request.id):
            return RefusalReason.REPEATED
        return judge(request, state, config, seen)

    def answer_pairing(self, asked: PairRequest, now: float, *, can_show: bool) -> Reply:
        """Answers a phone that sent a number, or asks for one to be shown at the table.

        Args:
            asked: with a number, or without.
            now: seconds of the machine's monotonic clock.
            can_show: whether the lights have room for a number.
        """
        if self._pairing is None or not (asked.number or can_show):
            return Reply(asked.id, RefusalReason.NOT_POSSIBLE)
        if not self._takes(asked.id):
            return Reply(asked.id, RefusalReason.REPEATED)
        if not asked.number:
            return self._show(asked, self._pairing, now)
        return self._attempt(asked, self._pairing, now)

    def show_code(self, now: float) -> None:
        """Shows a number because somebody at the table asked for one; there is no wait."""
        if self._pairing is not None:
            self._number, self._shown_s = self._pairing.issue_short_code(now), now

    def shown_code(self, now: float) -> str:
        """The number that the lights show for a phone to type, if they show one."""
        return self._number if now - self._shown_s < SHOWN_S else ""

    def unpair(self, token: str) -> RefusalReason | None:
        """Forgets the phone with a token; why not, if it cannot be forgotten for good."""
        assert self._pairing is not None, "a command that was admitted comes from a paired phone"
        self._pairing.unpair(token)
        return RefusalReason.NOT_POSSIBLE if self._pairing.trouble else None

    def phones(self, now: float) -> PairedPhones:
        """The phones that may ask, and the numbers that pair another one."""
        return PairedPhones() if self._pairing is None else self._pairing.phones(now)

    def _show(self, asked: PairRequest, pairing: Pairing, now: float) -> Reply:
        """Shows a number to a phone; who keeps asking must not keep the lights from the game."""
        since = now - self._shown_s
        if since < self._again_s:
            return Reply(asked.id, RefusalReason.WAIT, wait_s=ceil(self._again_s - since))
        self._number, self._shown_s = pairing.issue_short_code(now), now
        self._again_s = min(max(2 * self._again_s, SHOW_AGAIN_S), LONGEST_AGAIN_S)
        return Reply(asked.id)

    def _attempt(self, asked: PairRequest, pairing: Pairing, now: float) -> Reply:
        token = pairing.verify_code(asked.number, now)
        if not token:
            return Reply(asked.id, RefusalReason.WRONG_NUMBER)
        self._number, self._again_s = "", SHOW_AGAIN_S
        return Reply(asked.id, token=token)

    def _takes(self, identity: str) -> bool:
        """Whether an id is new; it is known from then on, until a thousand others came."""
        if identity in self._ids:
            return False
        self._ids[identity] = None
        if len(self._ids) > _MOST_IDS:
            self._ids.popitem(last=False)
        return True


def allowed_commands(state: GameState, config: GameConfig) -> frozenset[CommandName]:
    """The words that a game allows as it stands."""
    return ALWAYS | {word for word, may in _MAY.items() if may(state, config)}


def judge(
    request: CommandRequest, state: GameState, config: GameConfig, seen: range
) -> RefusalReason | None:
    """Why a command is refused, if it is.

    Args:
        request: of a paired phone, under a new id.
        state: the game.
        config: settings of the game.
        seen: revisions of the pages that showed the game as it stands.
    """
    word = request.command.name
    if word not in _UNSEEN and request.revision not in seen:
        return RefusalReason.STALE
    if isinstance(request.command, Hint):
        return hint_refusal(state, config)
    if word not in allowed_commands(state, config) or not _exists(request.command, state):
        return RefusalReason.NOT_POSSIBLE
    return None


def hint_refusal(state: GameState, config: GameConfig) -> RefusalReason | None:
    """Why whoever has to move is given no hint, or no more of one; None where they may be."""
    if CommandName.HINT not in allowed_commands(state, config):
        return RefusalReason.NOT_POSSIBLE
    return RefusalReason.HINTS_SPENT if exhausted(state, config) else None


def _exists(command: Command, state: GameState) -> bool:
    """Whether what a wish names is there."""
    if isinstance(command, Choose):
        return command.candidate < len(state.candidates)
    if isinstance(command, Resign):
        sides = state.position.game.sides
        return command.side < len(sides) and not state.resigned.issuperset(sides[command.side])
    if isinstance(command, EndGame):
        return command.how is not EndReasonCode.TIME or bool(state.timed_out)
    return True


def _at_play(state: GameState) -> bool:
    return not state.paused and state.ended is None


_MAY: Final[dict[CommandName, Callable[[GameState, GameConfig], bool]]] = {
    CommandName.CHOOSE: lambda state, _: _at_play(state) and bool(state.candidates),
    CommandName.REFUSE: lambda state, _: _at_play(state) and bool(state.in_doubt or state.history),
    CommandName.UNDO: lambda state, _: _at_play(state) and bool(state.history),
    CommandName.STAND: lambda state, _: _at_play(state),
    CommandName.OVERRULE: lambda state, _: (
        _at_play(state) and bool(state.refused) and not state.pending
    ),
    CommandName.PAUSE: lambda state, _: _at_play(state) and not state.over,
    CommandName.RESUME: lambda state, _: not _at_play(state),
    CommandName.RESIGN: lambda state, _: not state.over,
    CommandName.END: lambda state, _: not state.over,
    CommandName.HINT: lambda state, config: (
        _at_play(state) and not state.over and config.hints > 0 and can_be_given(state)
    ),
    CommandName.END_TURN: lambda state, config: (
        _at_play(state) and not state.over and config.turn_end is TurnEnd.BUTTON
    ),
}
"""Which games allow a word; those that are missing are always allowed."""


def config_from(command: NewGame) -> GameConfig:
    """What a word for a new game agrees on.

    Raises:
        RulesError: its parts do not fit each other.
    """
    game = GAMES[command.game]
    if command.shared is not None:
        game = game.sharing(command.shared)
    edition = None if command.edition is EditionKey.AUTO else EDITIONS[command.edition]
    return GameConfig(
        game,
        edition,
        command.first or None,
        command.names,
        command.seats,
        Scoring(command.scoring),
        Takeback(command.takeback),
        TurnEnd(command.turn_end),
        TimeControl(Timing(command.timing), command.clock_s, command.step_s),
        command.hints,
    )


def set_up(pieces: tuple[PlacedPiece, ...], turn: int, before: Position) -> Position:
    """The position that an arbiter sets, piece by piece; rules are not asked.

    Raises:
        RulesError: something is no piece, is there twice, or lies on another.
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
