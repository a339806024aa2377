"""Random play of a puzzle, with mistakes and liftings, and the verdicts that it must have."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware.codes import Takeback
from firmware.game.events import Event, MoveAccepted, MoveRefused, Undone
from firmware.referee.referee import Referee, RefereeSettings
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults
from firmware.rules.variants import Contact
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch, names


@dataclass
class PuzzlePlay:
    """A person who plays a puzzle at random before a referee.

    Attributes:
        wrong: verdicts that are wrong, as sentences.
        asked: number of questions.
    """

    game: str
    seed: int
    noise: float = 0.0
    takeback: Takeback = Takeback.ANY
    wrong: list[str] = field(default_factory=list)
    asked: int = 0

    def __post_init__(self) -> None:
        self.position = Position.start(self.game)
        assert self.position.game.puzzle is not None
        self.puzzle = self.position.game.puzzle
        self.table = NoisyBoard(20, FOUR, noise=self.noise, seed=self.seed)
        settings = RefereeSettings(takeback=self.takeback)
        self.match = NoisyMatch(self.table, Referee(self.position, FOUR, settings=settings))
        self.chance = random.Random(self.seed)  # noqa: S311
        self.match.settle()

    @property
    def pieces(self) -> list[LaidPiece]:
        return [(c, move) for c, laid in enumerate(self.position.laid) for move in laid]

    def step(self) -> None:
        """Lays one to three legal pieces, lifts some, moves one, or makes a mistake."""
        kind = self.chance.choices((self.lay, self.lift, self.move, self.mistake), (6, 1, 1, 2))[0]
        kind()

    def lay(self) -> None:
        new: list[LaidPiece] = []
        may_join = self.puzzle.contact is Contact.ANY
        for _ in range(self.chance.choice((1, 1, 1, 2, 2 if may_join else 3))):
            apart = [] if may_join else [move for _, move in new]
            one = self.any_legal(self.position, apart)
            if one is not None:
                new.append(one)
                self.position = self.position.play(one[1], one[0])
        for one in new:
            self._put(one)
        self._see("lay", new, [])

    def lift(self) -> None:
        gone = self._liftable()
        for one in gone:
            self._take(one)
        self._see("lift", [], gone)

    def move(self) -> None:
        gone = self._liftable()[:1]
        if not gone:
            return
        self._take(gone[0])
        taken = gone[0][1]
        new = self.any_legal(self.position, [taken])
        if new is None:
            self._see("lift", [], gone)
            return
        self.position = self.position.play(new[1], new[0])
        self._put(new)
        self._see("move", [new], gone)

    def mistake(self) -> None:
        """Lays an illegal piece apart from the others, and takes it back."""
        board, position = self.position.board, self.position
        for _ in range(300):
            colour = self.chance.randrange(4)
            move = board.move(self.chance.randrange(board.placements))
            if move.mask & position.occupied:
                continue
            broken = position.examine(move.squares, colour)
            if broken:
                break
        else:
            return
        self._put((colour, move))
        # One that may lie askew has time to be straightened.
        events = self._seen(10)
        refused = {(e.colour, e.squares) for e in events if isinstance(e, MoveRefused)}
        if refused != {(colour, tuple(sorted(move.squares)))}:
            self.wrong.append(f"mistake {FOUR[colour]} {move} {broken} seen as {events}")
        self._compare("mistake", events, [], [])
        self._take((colour, move), laid=False)
        events = self._seen(5)
        if names(events) != ["withdrawn"]:
            self.wrong.append(f"mistake of {FOUR[colour]} {move} withdrawn as {events}")

    def any_legal(self, position: Position, apart: Sequence[Move]) -> LaidPiece | None:
        """Returns a random legal piece that touches no side of some new ones."""
        board = position.board
        colours = [c for c in position.game.colours if position.moves_of(c)]
        self.chance.shuffle(colours)
        for colour in colours:
            indices = position.moves_of(colour).indices
            for _ in range(20):
                move = board.move(int(self.chance.choice(indices)))
                beside = board.next_to(move.mask)
                if not any(beside & one.mask or move.mask & one.mask for one in apart):
                    return colour, move
        return None

    def _liftable(self) -> list[LaidPiece]:
        pieces = self.pieces
        self.chance.shuffle(pieces)
        for count in (self.chance.choice((1, 1, 2)), 1):
            for at in range(0, min(len(pieces), 12), count):
                gone = pieces[at : at + count]
                rest = [(c, m.squares) for c, m in self.pieces if (c, m) not in gone]
                if not faults(self.position.game, rest):
                    return gone
        return []

    def _put(self, one: LaidPiece) -> None:
        self.table.lay(FOUR[one[0]], one[1])

    def _take(self, one: LaidPiece, *, laid: bool = True) -> None:
        self.table.lift(one[1])
        if laid:
            self.position = self.position.lift(one[1], one[0])

    def _seen(self, frames: int, new: Sequence[LaidPiece] = ()) -> list[Event]:
        """Reads frames after a hand; answers a question as a person does who knows `new`."""
        events = self.match.after_hand(frames)
        for _ in range(6):
            asked = self.match.referee.state.candidates
            if not asked:
                break
            self.asked += 1
            right = next((one for one in asked if (one.colour, one.move) in new), None)
            events += self.match.referee.resolve(right, self.match.moment)
            events += self.match.settle(4)
        return events

    def _see(self, what: str, new: Sequence[LaidPiece], gone: Sequence[LaidPiece]) -> None:
        self._compare(what, self._seen(4, new), new, gone)

    def _compare(
        self,
        what: str,
        events: Sequence[Event],
        new: Sequence[LaidPiece],
        gone: Sequence[LaidPiece],
    ) -> None:
        moves = [(e.colour, e.move) for e in events if isinstance(e, MoveAccepted)]
        undone = [(e.colour, e.move) for e in events if isinstance(e, Undone)]
        refused = what != "mistake" and any(isinstance(one, MoveRefused) for one in events)
        if sorted(map(str, moves)) != sorted(map(str, new)) or {*undone} != {*gone} or refused:
            self.wrong.append(f"{what} {new} {gone} seen as {events}")
        state = self.match.referee.state
        laid = {(c, m) for c, moves in enumerate(state.position.laid) for m in moves}
        if laid != set(self.pieces) or (what != "mistake" and state.refused) or state.disturbed:
            self.wrong.append(f"{what}: another state: {laid ^ set(self.pieces)}")
