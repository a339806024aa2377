"""Every command in every phase: then record and board agree, or a sentence says what to do."""

import json
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from firmware.codes import EndReason
from firmware.game.config import GameConfig
from firmware.game.event_codec import from_json, to_json
from firmware.game.events import Dismissed, Event, Moment
from firmware.game.state import GameState, apply_event
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, PUZZLES, default_edition
from firmware.session.command_gate import allowed_commands
from firmware.session.game_session import GameSession
from firmware.session.tracker import GameTracker
from firmware.storage.page_builder import PageContext, build_page
from tests.support.fake_table import FakeReader
from tests.support.noisy_board import NoisyBoard
from vision.camera import Frame
from web.contract import (
    Choose,
    Command,
    EndGame,
    Overrule,
    Page,
    Pause,
    PlacedPiece,
    RefereeState,
    Refuse,
    Resign,
    Resume,
    SetPosition,
    Undo,
)
from web.i18n.wording import Wording

pytestmark = pytest.mark.slow

ENGLISH = Wording()
FRAME_S: Final = 0.5
SETTLED: Final = 12
"""Frames within which everything is said that the table has to say: 6 s."""

CONFIGS: Final = (
    GameConfig(GAMES["duo"], names=("Ada", "Ben")),
    GameConfig(GAMES["duo"], names=("Ada", ""), computer=(0, 3), seed=1),
    GameConfig(GAMES["duo-4"]),
    GameConfig(PUZZLES["puzzle-tetrominoes"]),
)
PLAIN: Final = (RefereeState.WAITING, RefereeState.ACCEPTED, RefereeState.NEW_GAME)
"""States in which the board is as it should be."""

ACTS: Final = (
    *["say"] * 6,
    *["lay"] * 4,
    *["do_as_told"] * 3,
    "lay_anything",
    "lift",
    "doubt",
    "kill",
)
"""What may happen, the usual things more often."""

NUMBER = st.integers(0, 1 << 16)
COMMANDS: Final[tuple[Callable[["RandomTable"], Command], ...]] = (
    lambda _: Undo(),
    lambda _: Undo(),
    lambda _: Refuse(),
    lambda _: Choose(0),
    lambda _: Overrule(),
    lambda _: SetPosition(0),
    lambda table: SetPosition(0, table.pieces(0)),
    lambda table: SetPosition(1 % table.colours, table.pieces(1)),
    lambda _: Pause(),
    lambda _: Resume(),
    lambda _: EndGame(EndReason.ABANDONED),
    lambda _: Resign(0),
)


class RandomTable(RuleBasedStateMachine):
    """People, their pieces and an arbiter who do anything in any order."""

    colours: int
    config: GameConfig

    @initialize(config=st.sampled_from(CONFIGS))
    def begin(self, config: GameConfig) -> None:
        self.config, self.number = config, 0
        self.colours = len(config.game.colours)
        self.board = NoisyBoard(config.game.size, default_edition(config.game))
        self.begun = GameState(Position.start(config.game), computer=config.computer)
        self.events: list[Event] = []
        self.let_lie: set[tuple[int, ...]] = set()
        self.sit(self.begun)
        self.look()
        for _ in range(self.colours):
            self.lay(0)
            self.look()

    def sit(self, state: GameState) -> None:
        """Begins a session, as after a start of the program."""
        reader, edition = FakeReader(self.board), self.board.palette
        self.tracker = GameTracker(reader, state, edition, first=edition[0], turned=0)
        moment = Moment(self.number, self.number * FRAME_S)
        self.session = GameSession(self.config, self.tracker, moment=moment)
        self.events += self.session.catch_up()

    def look(self, frames: int = SETTLED, *, hand: bool = False) -> None:
        for _ in range(frames):
            self.number += 1
            frame = Frame(np.zeros((1, 1, 3), np.uint8), self.number * FRAME_S, self.number)
            self.events += self.session.judge(self.board.reading(hand=hand), frame)
            if self.session.awaits_computer:
                legal = self.state.position.legal_moves
                chosen = max(legal, key=lambda move: (move.piece.size, move.index))
                self.events += self.session.choose_for_computer(chosen)

    @property
    def state(self) -> GameState:
        return self.session.state

    @property
    def page(self) -> Page:
        context = PageContext(
            self.session.code, self.tracker.referee.edition, names=self.config.names
        )
        return build_page(self.state, context)

    def pieces(self, fewer: int) -> tuple[PlacedPiece, ...]:
        """Returns the pieces of the record, as a form sends them, without the last ones."""
        size, laid = self.config.game.size, self.state.lying[: self.state.piece_count]
        return tuple(
            PlacedPiece(colour, tuple(divmod(square, size) for square in move.squares))
            for colour, move in laid[: max(0, len(laid) - fewer)]
        )

    # What people and arbiters do

    def put(self, colour: int, move: Move) -> None:
        if not mask_of(self.board.contents) & move.mask:
            self.board.lay(self.board.palette[colour], move)
            self.look(1, hand=True)

    @rule(number=NUMBER, act=st.sampled_from(ACTS), hand=st.booleans())
    def something_happens(self, number: int, act: str, *, hand: bool) -> None:
        """Somebody acts; a hand may be over the board while an arbiter does."""
        if act == "say":
            self.say(COMMANDS[number % len(COMMANDS)](self), hand=hand)
        else:
            getattr(self, act)(number)
        self.look()
        self.check()

    def lay_anything(self, number: int) -> None:
        board = self.state.position.board
        self.put(number % self.colours, board.move(number % board.placements))

    def lay(self, number: int) -> None:
        position = self.state.position
        if position.to_move is None:
            return
        chosen = self.state.chosen
        legal = list(position.moves_of(position.to_move))
        if legal:
            move = chosen.move if chosen else legal[number % len(legal)]
            self.put(position.to_move, move)

    def lift(self, number: int) -> None:
        lying = self.state.lying
        there = [move for _, move in lying if {*move.squares} <= {*self.board.contents}]
        if there:
            self.board.lift(there[number % len(there)])
            self.look(1, hand=True)

    def doubt(self, number: int) -> None:
        """Something is seen that is hardly a piece; later it is gone."""
        square = number % self.config.game.size**2
        if square not in self.board.contents:
            self.board.faint[square] = dict.fromkeys(self.board.palette[:1], 1.2)

    def say(self, command: Command, *, hand: bool) -> None:
        self.look(1, hand=hand)
        if command.name not in allowed_commands(self.state, self.config):
            return
        before = self.state
        try:
            self.do(command)
        except (ValueError, RulesError):
            assert self.state == before, f"{command} failed and changed the game"
        self.look(1, hand=hand)

    def do(self, command: Command) -> None:
        self.events += self.session.do(command)
        if isinstance(command, Refuse):
            dismissed = (one for one in self.state.not_counted if isinstance(one, Dismissed))
            self.let_lie |= {one.squares for one in dismissed}

    def kill(self, _: int) -> None:
        state, edition = self.begun, self.board.palette
        for event in self.events:
            line = json.loads(json.dumps(to_json(event, self.config.game.size, edition)))
            state = apply_event(state, from_json(line, self.config.game.size, edition))
        assert state == self.state
        self.sit(state)

    # What always holds

    def recorded(self) -> dict[int, str]:
        """Returns the contents of the board after the record and what a person lets lie."""
        edition = self.tracker.referee.edition
        pieces = [
            (colour, move.squares) for colour, move in self.state.lying[: self.state.piece_count]
        ]
        pieces += [(colour, move.squares) for colour, move in self.state.pending]
        return {square: edition[colour] for colour, squares in pieces for square in squares}

    def astray(self) -> int:
        """Returns the squares on which board and record differ, but for what a person let lie."""
        found, record = self.board.contents, self.recorded()
        let_lie = (one.squares for one in self.state.not_counted if isinstance(one, Dismissed))
        ignored = mask_of(s for squares in let_lie if squares in self.let_lie for s in squares)
        squares = range(self.config.game.size**2)
        return mask_of(s for s in squares if found.get(s) != record.get(s)) & ~ignored

    def check(self) -> None:
        """Record and board agree, or a sentence says what to do."""
        page = self.page
        words, code = ENGLISH.state(page), page.state.code
        assert words
        assert ENGLISH.announcement(page)
        if code in PLAIN:
            assert not self.astray() or self.board.faint, f"{words}: {self.board.contents}"
            assert not page.to_lift
        if code is RefereeState.TO_LIFT:
            for one in page.to_lift:
                assert all(page.square_name(square) in words for square in one.squares)
                there = {row * page.size + column for row, column in one.squares}
                assert there & {*self.board.contents, *self.board.faint}, (
                    f"nothing lies there: {words}"
                )

    def do_as_told(self, _: int = 0) -> None:
        """Does the next thing that the table says."""
        state, code = self.state, self.session.code
        gone: set[int] = set()
        if code is RefereeState.TO_LIFT:
            gone = {square for one in state.to_lift for square in one.squares}
        elif code is RefereeState.REFUSED:
            gone = {square for one in state.refused for square in one.squares}
        elif code is RefereeState.DISTURBED:
            gone = {*squares_of(self.astray())}
            record = self.recorded()
            self.board.contents |= {s: record[s] for s in gone if s in record}
            gone -= record.keys()
        elif code is RefereeState.UNSURE:
            self.board.faint.clear()
            gone = {square for patch in state.unclear for square in patch.squares}
            if not state.possible_turns:
                self.do(Refuse())
            else:
                position = state.position.with_turn(state.possible_turns[0])
                self.events += self.tracker.referee.set_position(
                    position, Moment(self.number, self.number * FRAME_S)
                )
        elif code in (RefereeState.PAUSED, RefereeState.ANEW_ASKED) or state.ended:
            self.do(Resume())
        for square in gone:
            self.board.contents.pop(square, None)
            self.board.faint.pop(square, None)
        self.look(1, hand=True)
        self.look()

    def teardown(self) -> None:
        """Whoever does what the table says can go on with the game."""
        if not hasattr(self, "session"):
            return
        self.board.faint.clear()
        self.look()
        for _ in range(12):
            if self.session.code in PLAIN:
                break
            self.do_as_told()
        words = ENGLISH.state(self.page)
        assert self.session.code in PLAIN or self.state.over, words
        position, chosen = self.state.position, self.state.chosen
        if self.state.over or position.to_move is None or self.state.resigned:
            return
        assert not self.astray(), words
        lying = mask_of(self.board.contents)
        legal = list(position.moves_of(position.to_move))
        goal = [chosen.move] if chosen else [move for move in legal if not move.mask & lying]
        if goal and not goal[0].mask & lying:
            self.board.lay(self.board.palette[position.to_move], goal[0])
            self.look(1, hand=True)
            self.look()
            assert goal[0] in [move for _, move in self.state.lying], words


RandomTable.TestCase.settings = settings(max_examples=12, stateful_step_count=10, deadline=None)
test_people_and_arbiter_do_anything = RandomTable.TestCase
