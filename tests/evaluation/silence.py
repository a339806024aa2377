"""Trial: reports of pieces laid or lifted without a visible hand.

A table with lights waits. Then a piece appears or disappears between two frames: on or next to
each glowing square, and hanging over each rim. Within ten seconds the table has to report this
piece on these squares, with the rules that it breaks. A question about its squares is counted
apart, and an event that does not name it is as bad as silence. Every case starts from the same
state, in a forked process.

Run it with `python -m tests.evaluation silence --every 1`.
"""

import argparse
import os
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar

import cv2

from firmware.codes import HintStep, Rule, Translucency
from firmware.game.events import (
    ColouredSquares,
    Disturbed,
    Event,
    HandEntered,
    HandLeft,
    Hinted,
    LightChanged,
    MoveAccepted,
    MoveRefused,
    Squares,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game.state import GameState, apply_event
from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, Colour, Edition, default_edition
from firmware.session.tracker import GameTracker
from firmware.simulator.appearance import FROSTED
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import CELL_MM, TablePiece, VirtualTable
from tests.evaluation.lit_table import LitTable
from tests.evaluation.soak.rendered_game import DECISIONS, ReportedPiece, reported_piece
from tests.support.buffered_camera import BufferedCamera
from tests.support.led_scenes import states
from tests.support.random_games import played
from vision.reader import Reader
from vision.synthetic.renderer import Renderer

LONGEST_S: Final = 10.0
"""Seconds within which the table has to report something."""

WAITED_S: Final = 5.0
"""Seconds that the table has waited before: its lights are on, and frames were read."""

_FARTHEST_MM: Final = 0.45 * CELL_MM
_SIZE: Final = (640, 480)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class SilenceScenario:
    """A change between two frames.

    Attributes:
        kind: name under which it is counted.
        piece: the piece.
        lifted: True if it is lifted, False if it is laid.
    """

    kind: str
    piece: TablePiece
    lifted: bool = False

    @property
    def is_between(self) -> bool:
        """True if the piece lies between squares."""
        return bool(self.piece.dx_mm or self.piece.dy_mm)

    def __str__(self) -> str:
        one = self.piece
        off = f" off by {one.dx_mm:.1f}, {one.dy_mm:.1f} mm" if one.dx_mm or one.dy_mm else ""
        return f"{self.kind}: {one.colour} {one.move}{off}"


class SilenceVerdict(StrEnum):
    """Reports of a change."""

    TOLD = "told"
    ASKED = "asked about"
    WRONG = "TOLD WRONG"
    """Another piece, other squares or other rules."""

    OTHER = "only other events"
    SILENT = "no word of it"


class Waiting:
    """A table that shows a game in its lights.

    Args:
        state: the game.
        edition: names of its colours.
        pieces: translucency of the pieces.
        fps: frames a second.
        late: number of frames in the camera's buffers; above 0 it gives no times.
        digits: number to show instead of the game.
    """

    def __init__(
        self,
        state: GameState,
        edition: Edition,
        pieces: Translucency,
        *,
        fps: float = 5.0,
        late: int = 0,
        digits: str = "",
    ) -> None:
        self.table: Final = VirtualTable(state.position.game)
        for piece in _pieces_on(state):
            self.table.lay(piece)
        self.now_s = 0.0
        self._fps: Final = fps
        plastic = FROSTED if pieces is Translucency.TRANSLUCENT else None
        camera = SimulatedCamera(
            self.table, edition, lambda: self.now_s, Renderer(3), _SIZE, plastic
        )
        self._camera: Final = BufferedCamera(camera, late) if late else camera
        self.lights: Final = LitTable(self.table, lambda: self.now_s, pieces, digits)
        reader = Reader(state.position.game.size, edition)
        self.follower: Final = GameTracker(reader, state, edition, first=edition[0], turned=0)
        self.glowed: frozenset[int] = frozenset()

    def look(self) -> list[Event]:
        """Reads one frame; returns its events."""
        self.now_s += 1 / self._fps
        frame = self._camera.read()
        assert frame is not None, "nobody closes this camera"
        events = self.follower.see(frame, self.lights.lit_in(frame))
        self.lights.show(self.follower)
        self.glowed |= self.lights.glowing
        return events

    def wait(self, seconds: float) -> None:
        """Reads frames without a change."""
        for _ in range(round(seconds * self._fps)):
            self.look()

    def answer(self, case: SilenceScenario) -> tuple[SilenceVerdict, float]:
        """Returns the report of a change, and the seconds until it came."""
        right = right_event(case, self.follower.referee.state)
        if case.lifted:
            self.table.lift(case.piece.colour, case.piece.move.piece)
        else:
            self.table.lay(case.piece)
        start_s, others = self.now_s, False
        while self.now_s - start_s < LONGEST_S:
            found = [judged(event, right, case) for event in self.look()]
            if right.squares.intersection(self.follower.referee.covered):
                found.append(SilenceVerdict.ASKED)
            for verdict in found:
                if verdict not in (None, SilenceVerdict.OTHER):
                    return verdict, self.now_s - start_s
            others = others or SilenceVerdict.OTHER in found
        return (SilenceVerdict.OTHER if others else SilenceVerdict.SILENT), LONGEST_S


def right_event(case: SilenceScenario, state: GameState) -> ReportedPiece:
    """Returns the event that a change in a state has to result in.

    All refused pieces of a colour are reported as one. While one of the colour to move lies there,
    which may be the move that the others have waited for, none of theirs is refused for its turn.
    """
    colour, move = case.piece.colour, case.piece.move
    if case.lifted:
        is_last = bool(state.history) and state.history[-1].move == move
        is_laid = move in state.position.laid[colour]
        name = Undone.name if is_last else Disturbed.name if is_laid else Withdrawn.name
        return ReportedPiece(name, colour, frozenset(move.squares))
    before = (one.squares for one in state.refused if one.colour == colour)
    squares = frozenset(move.squares).union(*before)
    rules = frozenset(one.rule for one in state.position.examine(squares, colour))
    name = MoveRefused.name if rules else MoveAccepted.name
    to_move = state.position.to_move
    if colour != to_move and any(one.colour == to_move for one in state.refused):
        rules -= {Rule.WRONG_TURN}
    return ReportedPiece(name, colour, squares, rules)


def judged(event: Event, right: ReportedPiece, case: SilenceScenario) -> SilenceVerdict | None:
    """Returns the verdict on an event; None for one of a hand or of the light.

    A piece between the squares at the rim may also be refused because it is off the board.
    """
    if isinstance(event, (HandEntered, HandLeft, LightChanged)):
        return None
    found = reported_piece(event)
    over = replace(right, event=MoveRefused.name, rules=found.rules)
    is_over = case.is_between and found == over and Rule.OFF_BOARD in found.rules
    if found == right or is_over:
        return SilenceVerdict.TOLD
    squares: set[int] = set()
    if isinstance(event, Disturbed):
        if right.event == event.name and right.squares in map(frozenset, _places(event.expected)):
            return SilenceVerdict.TOLD
        squares.update(*_places(event.seen))
    elif isinstance(event, Unsure):
        moves = (one.move.squares for one in event.candidates)
        squares.update(*moves, *_places(event.unclear))
    elif isinstance(event, DECISIONS):
        return SilenceVerdict.WRONG
    return SilenceVerdict.ASKED if squares & right.squares else SilenceVerdict.OTHER


def _places(patches: Iterable[ColouredSquares]) -> Iterator[Squares]:
    return (one.squares for one in patches)


def scenes(position: Position) -> dict[str, GameState]:
    """Returns the states of a game with lights of their own, by name."""
    found = states(position)
    del found["unsure"]  # its uncertain piece is not on the board
    colour = position.to_move
    assert colour is not None, "the game is not over"
    hint = Hinted(1, 0.5, 0, colour, list(position.legal_moves)[-1], HintStep.WHOLE)
    return {**found, "hint": apply_event(found["turn"], hint), "digits": found["turn"]}


def cases(waiting: Waiting, chance: random.Random, every: int) -> Iterator[SilenceScenario]:
    """Yields all unseen changes at a table, or every `every`-th of each kind."""
    scene = waiting.table.scene
    board, truth = Board.of(scene.game.size), scene.truth()
    glowed = mask_of(waiting.glowed)
    near = glowed | board.corner_neighbours(glowed) | board.edge_neighbours(glowed)
    used = {(piece.colour, piece.move.piece) for piece in scene.pieces}
    free = mask_of(square for square, content in enumerate(truth) if content is None)
    fits: list[Move] = [
        move for move in map(board.move, range(board.placements)) if not move.mask & ~free
    ]

    def some(moves: list[Move]) -> tuple[Colour, Move] | None:
        own = [(c, m) for m in moves for c in scene.game.colours if (c, m.piece) not in used]
        return chance.choice(own) if own else None

    for square in list(squares_of(near & free))[::every]:
        for size in (1, 2, 4):
            over = [m for m in fits if m.piece.size == size and m.mask >> square & 1]
            if found := some(over):
                yield SilenceScenario("laid by a light", TablePiece(*found))
    for piece in [one for one in scene.pieces if one.move.mask & near][::every]:
        yield SilenceScenario("lifted by a light", piece, lifted=True)
    for square, (x, y) in list(_rim(board.size))[::every]:
        if found := some([m for m in fits if m.mask >> square & 1]):
            off = chance.uniform(0.1, 1.0) * _FARTHEST_MM
            piece = replace(TablePiece(*found), dx_mm=x * off, dy_mm=y * off)
            yield SilenceScenario("hangs over the rim", piece)


def in_a_copy(waiting: Waiting, case: SilenceScenario) -> tuple[SilenceVerdict, float]:
    """Returns the result of `Waiting.answer` in a forked process."""
    return _forked(lambda: waiting.answer(case))


def _pieces_on(state: GameState) -> Iterator[TablePiece]:
    """Yields the pieces on the board in a state."""
    displaced = {patch.squares for patch in state.disturbed}
    for colour, moves in enumerate(state.position.laid):
        yield from (TablePiece(colour, move) for move in moves if move.squares not in displaced)
    for one in state.refused:
        index = state.position.board.find(one.squares)
        assert index is not None, "one piece was refused"
        yield TablePiece(one.colour, state.position.board.move(index))


def _rim(size: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yields the squares along the edges, each with the direction off the board, x right, y up."""
    for along in range(size):
        yield along, (0, 1)
        yield along * size + size - 1, (1, 0)
        yield (size - 1) * size + along, (0, -1)
        yield along * size, (-1, 0)


def _forked(work: Callable[[], Result]) -> Result:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    answer: Result = pickle.loads(found)  # noqa: S301 - written by the copy of this process
    return answer


def sweep(
    waiting: Waiting, chance: random.Random, every: int
) -> Iterator[tuple[SilenceScenario, tuple[SilenceVerdict, float]]]:
    """Yields every case of a table with its report and the seconds until that."""
    waiting.wait(WAITED_S)
    for case in cases(waiting, chance, every):
        yield case, in_a_copy(waiting, case)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints every unreported case, then the totals."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation silence")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=["duo", "classic"])
    parser.add_argument("--edition", choices=EDITIONS)
    parser.add_argument("--plies", type=int, nargs="+", default=[12])
    parser.add_argument(
        "--pieces", nargs="+", choices=list(Translucency), default=list(Translucency)
    )
    parser.add_argument("--scenes", nargs="+")
    parser.add_argument("--late", type=int, default=0, help="frames in the camera's buffers")
    parser.add_argument("--every", type=int, default=4, help="one case in so many (default: 4)")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    chance = random.Random(1)  # noqa: S311
    tally: Counter[str] = Counter()
    slowest = 0.0
    for game in arguments.games:
        edition = EDITIONS[arguments.edition] if arguments.edition else default_edition(GAMES[game])
        for ply in arguments.plies:
            for pieces in arguments.pieces:
                for name, state in scenes(played(game, 11, ply)).items():
                    if arguments.scenes and name not in arguments.scenes:
                        continue
                    digits = "4096" if name == "digits" else ""
                    waiting = Waiting(
                        state, edition, Translucency(pieces), late=arguments.late, digits=digits
                    )
                    for case, (found, seconds) in sweep(waiting, chance, arguments.every):
                        tally[case.kind] += 1
                        tally[f"{case.kind}, {found}"] += 1
                        if found in (SilenceVerdict.TOLD, SilenceVerdict.ASKED):
                            slowest = max(slowest, seconds)
                        else:
                            print(f"{found}: {game} {ply} {pieces} {name}: {case}", flush=True)  # noqa: T201
    for name, count in sorted(tally.items()):
        print(f"{count:6} {name}")  # noqa: T201
    print(f"told after {slowest:.1f} s at the latest")  # noqa: T201
