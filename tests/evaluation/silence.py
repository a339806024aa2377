"""Pieces laid or lifted where nobody sees a hand: is there ever no word of it?

A table with lights waits. Then a piece lies, or is gone, from one frame to the next: on or beside
each square that glows, and hanging over each rim. Within ten seconds people have to be told
something, be it that nothing is sure. Every case starts from the same moment, in a process of its
own that is copied from the one which has waited.

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
"""Seconds in which something has to be said."""

WAITED_S: Final = 5.0
"""Seconds that the table has waited before: its lights are on, and were looked at."""

_FARTHEST_MM: Final = 0.45 * CELL_MM
_SIZE: Final = (640, 480)


@dataclass(frozen=True, slots=True)
class SilenceScenario:
    """Something that happens while no frame is taken.

    Attributes:
        kind: what is counted together.
        lying: the piece.
        gone: whether it is lifted, and not laid.
    """

    kind: str
    lying: TablePiece
    gone: bool = False

    def __str__(self) -> str:
        one = self.lying
        off = f" off by {one.dx_mm:.1f}, {one.dy_mm:.1f} mm" if one.dx_mm or one.dy_mm else ""
        return f"{self.kind}: {one.colour} {one.move}{off}"


class Waiting:
    """A table that shows a game in its lights.

    Args:
        state: the game.
        edition: names of its colours.
        pieces: whether light comes through them.
        fps: frames a second.
        late: for how many frames the camera keeps one in buffers; above 0 it says no times.
        digits: a number to be shown instead of the game.
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
        for lying in _lying(state):
            self.table.lay(lying)
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
        """One frame; the names of the events that follow."""
        self.now_s += 1 / self._fps
        frame = self._camera.read()
        assert frame is not None, "nobody closes this camera"
        events = self.follower.see(frame, self.lights.lit_in(frame))
        self.lights.show(self.follower)
        self.glowed |= self.lights.glowing
        return [event.name for event in events]

    def wait(self, seconds: float) -> None:
        """Nothing happens for a while."""
        for _ in range(round(seconds * self._fps)):
            self.look()

    def answer_s(self, case: SilenceScenario) -> float | None:
        """Seconds until people are told of something that happens now; None if they are not."""
        if case.gone:
            self.table.lift(case.lying.colour, case.lying.move.piece)
        else:
            self.table.lay(case.lying)
        begun_s, doubted = self.now_s, self.follower.phase is Phase.UNSURE
        while self.now_s - begun_s < LONGEST_S:
            told = [name for name in self.look() if name not in ("hand", "clear", "light-changed")]
            unsure = self.follower.phase is Phase.UNSURE and not doubted
            if told or unsure or self.follower.referee.covered:
                return self.now_s - begun_s
        return None


def scenes(position: Position) -> dict[str, GameState]:
    """The states of a game in which its lights say something of their own, by name."""
    found = states(position)
    del found["unsure"]  # what it is unsure of does not lie there
    colour = position.to_move
    assert colour is not None, "the game is not over"
    hint = Hinted(1, 0.5, 0, colour, list(position.legal_moves)[-1], HintStep.WHOLE)
    return {**found, "hint": apply_event(found["turn"], hint), "digits": found["turn"]}


def cases(waiting: Waiting, chance: random.Random, every: int) -> Iterator[SilenceScenario]:
    """Everything that may happen unseen at a table, or every so many of each kind."""
    scene = waiting.table.scene
    board, truth = Board.of(scene.game.size), scene.truth()
    glowed = mask_of(waiting.glowed)
    near = glowed | board.corner_neighbours(glowed) | board.edge_neighbours(glowed)
    laid = {(lying.colour, lying.move.piece) for lying in scene.pieces}
    free = mask_of(square for square, content in enumerate(truth) if content is None)
    fits: list[Move] = [
        move for move in map(board.move, range(board.placements)) if not move.mask & ~free
    ]

    def some(moves: list[Move]) -> tuple[Colour, Move] | None:
        own = [(c, m) for m in moves for c in scene.game.colours if (c, m.piece) not in laid]
        return chance.choice(own) if own else None

    for square in list(squares_of(near & free))[::every]:
        for size in (1, 2, 4):
            over = [m for m in fits if m.piece.size == size and m.mask >> square & 1]
            if found := some(over):
                yield SilenceScenario("laid by a light", TablePiece(*found))
    for lying in [one for one in scene.pieces if one.move.mask & near][::every]:
        yield SilenceScenario("lifted by a light", lying, gone=True)
    for square, (x, y) in list(_rim(board.size))[::every]:
        if found := some([m for m in fits if m.mask >> square & 1]):
            off = chance.uniform(0.1, 1.0) * _FARTHEST_MM
            lying = replace(TablePiece(*found), dx_mm=x * off, dy_mm=y * off)
            yield SilenceScenario("hangs over the rim", lying)


def in_a_copy(waiting: Waiting, case: SilenceScenario) -> float | None:
    """What `Waiting.answer_s` gives, in a process that is copied from this one."""
    return _forked(lambda: waiting.answer_s(case))


def _lying(state: GameState) -> Iterator[TablePiece]:
    """What lies on the board when a state begins."""
    gone = {patch.squares for patch in state.disturbed}
    for colour, laid in enumerate(state.position.laid):
        yield from (TablePiece(colour, move) for move in laid if move.squares not in gone)
    for one in state.refused:
        index = state.position.board.find(one.squares)
        assert index is not None, "one piece was refused"
        yield TablePiece(one.colour, state.position.board.move(index))


def _rim(size: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The squares along the edges, and the way off the board, x to the right and y up."""
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
    """Every case of a table, and after how many seconds there was a word of it."""
    waiting.wait(WAITED_S)
    for case in cases(waiting, chance, every):
        yield case, in_a_copy(waiting, case)


def main(words: Sequence[str]) -> None:
    """Sweeps, prints every case that nobody was told of, then the sums."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation silence")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=["duo", "classic"])
    parser.add_argument("--edition", choices=EDITIONS)
    parser.add_argument("--plies", type=int, nargs="+", default=[12])
    parser.add_argument(
        "--pieces", nargs="+", choices=list(Translucency), default=list(Translucency)
    )
    parser.add_argument("--scenes", nargs="+")
    parser.add_argument("--late", type=int, default=0, help="frames in the camera's buffers")
    parser.add_argument("--every", type=int, default=4, help="try only every so many (default: 4)")
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
                    for case, told_s in sweep(waiting, chance, arguments.every):
                        tally[case.kind] += 1
                        slowest = max(slowest, told_s or 0.0)
                        if told_s is None:
                            tally[f"{case.kind}, no word of it"] += 1
                            print(f"no word: {game} {ply} {pieces} {name}: {case}", flush=True)  # noqa: T201
    for name, count in sorted(tally.items()):
        print(f"{count:6} {name}")  # noqa: T201
    print(f"told after {slowest:.1f} s at the latest")  # noqa: T201
