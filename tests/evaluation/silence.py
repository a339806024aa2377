"""Trial: reports of pieces laid or lifted without a visible hand.

A table with lights waits. Then a piece appears or disappears between two frames: on or next to
each glowing square, and hanging over each rim. Within ten seconds the table has to report
something, at least that it is unsure. Every case starts from the same state, in a forked process.

Run it with `python -m tests.evaluation silence --every 1`.
"""

import argparse
import os
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2

from firmware.game.events import Hinted, HintStep
from firmware.game.state import GameState, apply_event
from firmware.lights.scene import Translucency
from firmware.referee.phase import Phase
from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, Colour, Edition, default_edition
from firmware.session.tracker import GameTracker
from firmware.simulator.appearance import FROSTED
from firmware.simulator.camera import BufferedCamera, SimulatedCamera
from firmware.simulator.table import CELL_MM, TablePiece, VirtualTable
from tests.evaluation.lit_table import LitTable
from tests.support.led_scenes import states
from tests.support.random_games import played
from vision.reader import Reader
from vision.synthetic import Renderer

LONGEST_S: Final = 10.0
"""Seconds within which the table has to report something."""

WAITED_S: Final = 5.0
"""Seconds that the table has waited before: its lights are on, and frames were read."""

_FARTHEST_MM: Final = 0.45 * CELL_MM
_SIZE: Final = (640, 480)


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

    def __str__(self) -> str:
        one = self.piece
        off = f" off by {one.dx_mm:.1f}, {one.dy_mm:.1f} mm" if one.dx_mm or one.dy_mm else ""
        return f"{self.kind}: {one.colour} {one.move}{off}"


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

    def look(self) -> list[str]:
        """Reads one frame; returns the names of its events."""
        self.now_s += 1 / self._fps
        frame = self._camera.read()
        assert frame is not None, "nobody closes this camera"
        events = self.follower.see(frame, self.lights.lit_in(frame))
        self.lights.show(self.follower)
        self.glowed |= self.lights.glowing
        return [event.name for event in events]

    def wait(self, seconds: float) -> None:
        """Reads frames without a change."""
        for _ in range(round(seconds * self._fps)):
            self.look()

    def answer_s(self, case: SilenceScenario) -> float | None:
        """Returns the seconds until the table reports a change; None if it does not."""
        if case.lifted:
            self.table.lift(case.piece.colour, case.piece.move.piece)
        else:
            self.table.lay(case.piece)
        start_s, doubted = self.now_s, self.follower.phase is Phase.UNSURE
        while self.now_s - start_s < LONGEST_S:
            names = [name for name in self.look() if name not in ("hand", "clear", "light-changed")]
            unsure = self.follower.phase is Phase.UNSURE and not doubted
            if names or unsure or self.follower.referee.covered:
                return self.now_s - start_s
        return None


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


def in_a_copy(waiting: Waiting, case: SilenceScenario) -> float | None:
    """Returns the result of `Waiting.answer_s` in a forked process."""
    return _forked(lambda: waiting.answer_s(case))


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


def _forked(work: Callable[[], float | None]) -> float | None:
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
    answer: float | None = pickle.loads(found)  # noqa: S301 - written by the copy of this process
    return answer


def sweep(
    waiting: Waiting, chance: random.Random, every: int
) -> Iterator[tuple[SilenceScenario, float | None]]:
    """Yields every case of a table with the seconds until it was reported."""
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
                    for case, answer_s in sweep(waiting, chance, arguments.every):
                        tally[case.kind] += 1
                        slowest = max(slowest, answer_s or 0.0)
                        if answer_s is None:
                            tally[f"{case.kind}, no word of it"] += 1
                            print(f"no word: {game} {ply} {pieces} {name}: {case}", flush=True)  # noqa: T201
    for name, count in sorted(tally.items()):
        print(f"{count:6} {name}")  # noqa: T201
    print(f"told after {slowest:.1f} s at the latest")  # noqa: T201
