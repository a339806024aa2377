"""Trial: boards with illegal positions, each of which has to be read exactly.

`python -m tests.evaluation illegal --boards 500` makes boards of every game and edition, most of
them against one or several rules, draws a picture of each, reads it, and counts the squares read
wrong and those reported as unsure. `--legal` makes legal boards instead, of any length.
`--unrendered` skips the pictures and reads every square with certainty.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.referee.still_photo import examine_picture
from firmware.rules.board import Move
from firmware.rules.pieces import MONOMINO, PIECES
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, LETTERS, Edition, Variant
from firmware.simulator.appearance import table_look
from firmware.simulator.table import CameraStand, Lighting, TablePiece, TableScene
from tests.support.noisy_board import NoisyBoard
from vision.errors import BoardFailure
from vision.reader import read_picture
from vision.reading import Reading
from vision.synthetic.renderer import Renderer

_PICTURE_PX: Final = (1280, 960)
"""Width and height of a picture."""

_DARK: Final = (0, 0, 0)
_CROOKED: Final = (0.25, 0.25, 0.6)
"""Standard deviations of the placement error: to the right and up in mm, turn in degrees."""

_SIZES: Final = np.array([piece.size for piece in PIECES])


@dataclass(frozen=True, slots=True)
class IllegalBoard:
    """A board with pieces.

    Attributes:
        game: its game.
        edition: names of its colours, in the order of play.
        pieces: colour and placement of each piece.
        faults: names of its faults.
    """

    game: Variant
    edition: Edition
    pieces: tuple[tuple[int, Move], ...]
    faults: tuple[str, ...]

    @property
    def rows(self) -> list[str]:
        """Returns the board as text, top row first."""
        marks = ["."] * self.game.size**2
        for colour, move in self.pieces:
            for square in move.squares:
                marks[square] = LETTERS[self.edition[colour]]
        text, n = "".join(marks), self.game.size
        return [text[k : k + n] for k in range(0, n * n, n)]

    def laid(
        self, crooked: tuple[float, float, float], chance: np.random.Generator
    ) -> tuple[TablePiece, ...]:
        """Returns the pieces as people lay them.

        Args:
            crooked: standard deviations of the placement error, as in `_CROOKED`.
            chance: source of the errors.
        """
        return tuple(
            TablePiece(colour, move, *chance.normal(0, crooked).tolist())
            for colour, move in self.pieces
        )

    @property
    def table(self) -> NoisyBoard:
        """Returns the board as it is read in a good picture, where the median is 0.99997."""
        table = NoisyBoard(self.game.size, self.edition, sure=11.0)
        for colour, move in self.pieces:
            table.lay(self.edition[colour], move)
        return table


def drawn(seed: int, *, legal: bool = False) -> IllegalBoard:
    """Returns the board of a random unfinished game with one to three faults.

    Args:
        seed: seed of the game, its edition, its length and the faults.
        legal: True for a board without faults.
    """
    chance = np.random.default_rng([seed, int(legal)])
    game = list(GAMES.values())[int(chance.integers(len(GAMES)))]
    editions = [one for one in EDITIONS.values() if len(one) == len(game.colours)]
    edition = editions[int(chance.integers(len(editions)))]
    board = _Board.played(game, chance)
    wanted = 0 if legal else int(chance.choice([1, 2, 3], p=[0.5, 0.3, 0.2]))
    faults: list[str] = []
    for _ in range(wanted):
        for name in chance.permutation(sorted(FAULTS)).tolist():
            if FAULTS[name](board, chance):
                faults.append(name)
                break
    return IllegalBoard(game, edition, tuple(board.pieces), tuple(faults))


class _Board:
    """Pieces at any place, no two on one square."""

    def __init__(self, position: Position, pieces: list[tuple[int, Move]]) -> None:
        self.game = position.game
        self.board = position.board
        self.pieces = pieces

    @staticmethod
    def played(game: Variant, chance: np.random.Generator) -> "_Board":
        """Returns a board after some moves of a game, mostly with large pieces first."""
        position = Position.start(game)
        pieces: list[tuple[int, Move]] = []
        for _ in range(int(chance.integers(2, 22 * len(game.colours)))):
            colour = position.to_move
            if colour is None:
                break
            moves = position.legal_moves.indices
            sizes = _SIZES[np.frombuffer(position.board.piece_of, np.uint8)[moves]]
            likely = moves[sizes == sizes.max()] if chance.random() < 0.8 else moves
            move = position.board.move(int(chance.choice(likely)))
            pieces.append((colour, move))
            position = position.play(move)
        return _Board(position, pieces)

    @property
    def occupied(self) -> int:
        """Mask of all covered squares."""
        return sum(move.mask for _, move in self.pieces)

    def own(self, colour: int) -> int:
        """Returns the mask of the squares of a colour."""
        return sum(move.mask for other, move in self.pieces if other == colour)

    def lay(
        self, chance: np.random.Generator, fits: Callable[[int, Move], bool]
    ) -> tuple[int, Move] | None:
        """Lays a random piece on free squares where it fits; returns it, or None if none does."""
        taken = self.occupied
        for colour in chance.permutation(len(self.game.colours)).tolist():
            for index in chance.permutation(self.board.placements)[:4000].tolist():
                move = self.board.move(index)
                if not move.mask & taken and fits(colour, move):
                    self.pieces.append((colour, move))
                    return colour, move
        return None

    def count(self, colour: int, move: Move) -> int:
        """Returns the number of times that a colour has laid the piece of a placement."""
        return sum(one == colour and other.piece is move.piece for one, other in self.pieces)


def _touches(board: _Board, colour: int, move: Move) -> bool:
    return bool(board.board.edge_neighbours(move.mask) & board.own(colour))


def _meets(board: _Board, colour: int, move: Move) -> bool:
    return bool(board.board.corner_neighbours(move.mask) & board.own(colour))


def _twice(board: _Board, chance: np.random.Generator) -> bool:
    """Adds a piece of a second set at a legal place."""
    return (
        board.lay(
            chance,
            lambda colour, move: (
                board.count(colour, move) == 1
                and not _touches(board, colour, move)
                and _meets(board, colour, move)
            ),
        )
        is not None
    )


def _touching(board: _Board, chance: np.random.Generator) -> bool:
    """Adds a piece along the side of another of its colour."""
    return (
        board.lay(
            chance,
            lambda colour, move: not board.count(colour, move) and _touches(board, colour, move),
        )
        is not None
    )


def _floating(board: _Board, chance: np.random.Generator) -> bool:
    """Adds a piece at no corner of its colour."""
    return (
        board.lay(
            chance,
            lambda colour, move: (
                not board.count(colour, move)
                and not _touches(board, colour, move)
                and not _meets(board, colour, move)
            ),
        )
        is not None
    )


def _single(board: _Board, chance: np.random.Generator) -> bool:
    """Adds a second monomino."""
    wanted = set[int]()
    for _ in range(2):
        placed = board.lay(
            chance,
            lambda colour, move: (
                move.piece is MONOMINO
                and (not wanted or colour in wanted)
                and board.count(colour, move) < 2
                and not _touches(board, colour, move)
            ),
        )
        if placed is None:
            return False
        wanted.add(placed[0])
        if sum(c == placed[0] and m.piece is MONOMINO for c, m in board.pieces) > 1:
            break
    return True


def _again(board: _Board, chance: np.random.Generator) -> bool:
    """Adds some moves of one colour alone."""
    colour = int(chance.integers(len(board.game.colours)))
    return all(
        board.lay(
            chance,
            lambda one, move: (
                one == colour
                and not board.count(one, move)
                and not _touches(board, one, move)
                and _meets(board, one, move)
            ),
        )
        is not None
        for _ in range(3)
    )


def _mixed(board: _Board, chance: np.random.Generator) -> bool:
    """Adds a few pieces of a second set."""
    return all(_twice(board, chance) for _ in range(int(chance.integers(3, 7))))


def _lifted(board: _Board, chance: np.random.Generator) -> bool:
    """Removes an earlier piece."""
    if len(board.pieces) < 3:
        return False
    del board.pieces[int(chance.integers(len(board.pieces)))]
    return True


FAULTS: Final[dict[str, Callable[[_Board, np.random.Generator], bool]]] = {
    "a piece twice": _twice,
    "two pieces touching": _touching,
    "a piece without a corner": _floating,
    "the single square twice": _single,
    "one colour out of turn": _again,
    "two sets mixed": _mixed,
    "a piece lifted": _lifted,
}


def rendered(board: IllegalBoard, seed: int) -> NDArray[np.uint8]:
    """Returns a picture of a board with markers, drawn by the simulated table.

    Args:
        board: the board.
        seed: seed of the placement errors and of the noise.
    """
    chance = np.random.default_rng([seed, 2])
    pieces = board.laid(_CROOKED, chance)
    trays = ((),) * len(board.edition)
    lights = (_DARK,) * board.game.size**2
    scene = TableScene(board.game, pieces, trays, None, Lighting(), CameraStand(), lights)
    look = table_look(scene, board.edition, _PICTURE_PX)
    lamp = replace(
        look.lamp,
        brightness=float(np.exp(chance.uniform(-0.5, 0.2))),
        kelvin=float(chance.uniform(3000, 6500)),
        azimuth_deg=float(chance.uniform(0, 360)),
    )
    return Renderer(seed, noise=2.0).render(replace(look, lamp=lamp))


def read_back(board: IllegalBoard, seed: int) -> Reading | BoardFailure:
    """Returns the reading of a picture of a board; an edition of two colours has to be recognised.

    Args:
        board: the board.
        seed: seed of the picture, as in `rendered`.
    """
    palette = board.edition if len(board.edition) == 4 else None
    return read_picture(rendered(board, seed), board.game.size, palette)


def judged(board: IllegalBoard, reading: Reading | BoardFailure) -> Counter[str]:
    """Returns counts of squares read wrong with certainty, and of those reported as unsure."""
    counts = Counter(boards=1, squares=board.game.size**2)
    if isinstance(reading, BoardFailure):
        return counts + Counter(lost=1)
    found = examine_picture(reading, board.game)
    pairs = zip("".join(found.rows), "".join(board.rows), strict=True)
    wrong = {square for square, (read_back, true) in enumerate(pairs) if read_back != true}
    return counts + Counter(
        silent=len(wrong - set(found.unsure)),
        unsure=len(found.unsure),
        exact=int(not wrong and not found.unsure),
        other_edition=int(set(reading.palette) != set(board.edition)),
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints a line for each board that is not read exactly."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation illegal")
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first board")
    parser.add_argument("--legal", action="store_true", help="boards without faults")
    parser.add_argument("--unrendered", action="store_true", help="readings without pictures")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    total, faults = Counter[str](), Counter[str]()
    for seed in range(arguments.seed, arguments.seed + arguments.boards):
        board = drawn(seed, legal=arguments.legal)
        reading = board.table.reading() if arguments.unrendered else read_back(board, seed)
        counts = judged(board, reading)
        total += counts
        faults.update(board.faults)
        if not counts["exact"]:
            kind = f"{board.game.key} {'-'.join(board.edition)} ({', '.join(board.faults)})"
            print(f"  {seed} {kind}: {dict(counts)}", flush=True)  # noqa: T201
    print(f"{dict(total)}; {dict(faults)}")  # noqa: T201
