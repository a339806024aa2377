"""One game with accidents, read with errors, and counts of the referee's verdicts."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from firmware.codes import Rule, Translucency
from firmware.game.events import Event, MoveAccepted, MoveRefused
from firmware.referee.referee import Phase, Referee
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from tests.evaluation.told import told_squares
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch

ATTEMPTS = 12
"""Times that a board is shown again, in five clear frames, until the referee counts as stuck."""

ACCIDENT_SHARE = 0.35
"""Share of the turns with an accident."""


LONGEST_S = 10.0
"""Seconds within which the table has to report something, at least that it is unsure."""

TELLS = (Phase.UNSURE, Phase.REFUSED, Phase.DISTURBED)
"""Phases that ask people to act; here, where no certain squares are awaited."""

Tally = Counter[str]
Piece = tuple[Colour, Move]


@dataclass(frozen=True)
class ViewingConditions:
    """Quality of the readings.

    Attributes:
        sure: log odds of the truth.
        noise: standard deviation of the log odds.
        pieces: translucency of the pieces over LEDs; None without LEDs.
    """

    sure: float
    noise: float
    pieces: Translucency | None = None


def illegal_placement(position: Position, chance: random.Random) -> Move | None:
    """Returns a legal move shifted by a square, or a piece anywhere, that is illegal."""
    board = position.board
    legal = board.move(int(chance.choice(position.legal_moves.indices)))
    slip = chance.choice((1, -1, board.size, -board.size))
    index: int | None = chance.randrange(board.placements)
    if chance.random() < 0.7:
        squares = [square + slip for square in legal.squares]
        index = board.find(squares) if 0 <= min(squares) <= max(squares) < board.squares else None
    if index is None:
        return None
    move = board.move(index)
    legal_here = move in position.legal_moves
    # Before the first move the frame is unknown: a piece that fits in one of the frames is legal.
    if not position.occupied:
        legal_here = any(board.transform(move, turn) in position.legal_moves for turn in (0, 1, 3))
    return None if legal_here or move.mask & position.occupied else move


class NoisyGame:
    """One game with accidents. Colours of the palette are in the order of play.

    Args:
        game: key of the game.
        sight: quality of the readings.
        seed: seed of all random choices.
    """

    def __init__(self, game: str, sight: ViewingConditions, seed: int) -> None:
        self.chance = random.Random(f"{game} {seed}")  # noqa: S311
        self.position = Position.start(game)
        self.palette = FOUR if len(self.position.game.colours) == 4 else ("purple", "orange")
        size = self.position.game.size
        self.table = NoisyBoard(
            size,
            self.palette,
            noise=sight.noise,
            sure=sight.sure,
            seed=self.chance.randrange(1 << 30),
        )
        referee = Referee(self.position, self.palette)
        self.match = NoisyMatch(self.table, referee, pieces=sight.pieces)
        self.match.settle()
        self.before = self.position
        self.laid: list[Piece] = []
        self.tally: Tally = Counter(games=1)
        self.accidents: tuple[Callable[[], bool], ...] = (
            self._slip, self._slide, self._lay_two, self._lay_early, self._lift_newest,
            self._lift_earlier, self._push_earlier, self._leave_hand, self._lay_on_another,
            self._play_on_in_doubt,
        )  # fmt: skip

    def play(self) -> Tally:
        """Plays to the end, or until the referee is stuck."""
        while not self.position.is_over and not self.tally["stuck"]:
            if self.chance.random() < ACCIDENT_SHARE:
                accident = self.chance.choice(self.accidents)
                if accident():
                    self.tally["accidents"] += 1
                    self.tally[f"accident: {accident.__name__.strip('_').replace('_', ' ')}"] += 1
                continue
            self._lay(self._some_move(self.position))
            self._expect(1)
        return self.tally

    # Actions of people

    def _some_move(self, position: Position) -> Move:
        return position.board.move(int(self.chance.choice(position.legal_moves.indices)))

    def _lay(self, move: Move) -> None:
        """Lays a legal move and records it as expected."""
        colour = self.position.to_move
        assert colour is not None
        self.table.lay(self.palette[colour], move)
        self.before = self.position
        self.laid.append((colour, move))
        self.position = self.position.play(move)
        self.tally["placements"] += 1
        self.tally["legal placements"] += 1

    def _cheat(self, colour: Colour, move: Move) -> None:
        self.table.lay(self.palette[colour], move)
        self._expect(0, {(colour, move)})
        self.tally["placements"] += 1
        self.tally["illegal placements"] += 1

    def _slip(self) -> bool:
        """Makes an illegal placement and takes it back."""
        move = illegal_placement(self.position, self.chance)
        if move is None or self.position.to_move is None:
            return False
        self._cheat(self.position.to_move, move)
        self.table.lift(move)
        self._expect(0)
        return True

    def _slide(self) -> bool:
        """Makes an illegal placement and corrects it without a frame between."""
        move = illegal_placement(self.position, self.chance)
        if move is None or self.position.to_move is None:
            return False
        self._cheat(self.position.to_move, move)
        self.table.lift(move)
        self._lay(self._some_move(self.position))
        self._expect(1)
        return True

    def _lay_two(self) -> bool:
        """Lays pieces of two colours at once, each legal in its turn."""
        if not self.position.occupied:
            return False
        first = self.position.to_move
        self._lay(self._some_move(self.position))
        if self.position.to_move in (None, first):
            self._expect(1)
            return False
        self._lay(self._some_move(self.position))
        self._expect(2)
        return True

    def _lay_early(self) -> bool:
        """Lays a move out of turn, and then the one whose turn it was."""
        first = self._some_move(self.position)
        after = self.position.play(first)
        if not self.position.occupied or after.to_move in (None, self.position.to_move):
            return False
        assert after.to_move is not None
        early = self._some_move(after)
        if len(self._broken(early.squares, after.to_move)) != 1:
            return False
        self._cheat(after.to_move, early)
        self._lay(first)
        self._lay(early)
        self._expect(2)
        return True

    def _broken(self, squares: Iterable[int], colour: Colour) -> set[Rule]:
        return {violation.rule for violation in self.position.examine(squares, colour)}

    def _lift_newest(self) -> bool:
        """Lifts the newest piece."""
        if not self.laid or self.before == self.position:
            return False
        self.table.lift(self.laid.pop()[1])
        self.position = self.before
        self._expect(0, names={"undone"})
        return True

    def _some_earlier(self) -> Piece | None:
        earlier = [
            (colour, move)
            for colour, moves in enumerate(self.position.laid)
            for move in moves
            if (colour, move) != self.laid[-1]
        ]
        return self.chance.choice(earlier) if earlier else None

    def _lift_earlier(self) -> bool:
        """Lifts an earlier piece and puts it back."""
        piece = self._some_earlier()
        if piece is None:
            return False
        self.table.lift(piece[1])
        self._expect(0, astray={piece}, names={"disturbed"})
        self.table.lay(self.palette[piece[0]], piece[1])
        self._expect(0, names={"restored"})
        return True

    def _push_earlier(self) -> bool:
        """Pushes an earlier piece by a square and puts it back."""
        piece = self._some_earlier()
        if piece is None:
            return False
        board, (colour, move) = self.position.board, piece
        free = ~self.position.occupied | move.mask
        places = [
            [square + step for square in move.squares] for step in (1, -1, board.size, -board.size)
        ]
        pushed = [
            board.move(index)
            for squares in places
            if 0 <= min(squares) <= max(squares) < board.squares
            and (index := board.find(squares)) is not None
        ]
        pushed = [one for one in pushed if not one.mask & ~free and one.piece is move.piece]
        if not pushed:
            return False
        self.table.lift(move)
        pushed_to = self.chance.choice(pushed)
        self.table.lay(self.palette[colour], pushed_to)
        self._expect(0, astray={piece}, names={"disturbed"})
        self.table.lift(pushed_to)
        self.table.lay(self.palette[colour], move)
        self._expect(0, names={"restored"})
        return True

    def _leave_hand(self) -> bool:
        """Leaves a hand on the new piece for a while."""
        self._lay(self._some_move(self.position))
        move = self.laid[-1][1]
        near = self.position.board.edge_neighbours(move.mask) | move.mask
        hidden = [square for square in range(self.table.board.squares) if near >> square & 1]
        self.table.covered = set(self.chance.sample(hidden, len(hidden) // 2)) | {move.squares[0]}
        events = [event for _ in range(6) for event in self.match.show(hand=True)]
        self.tally["wrong accepts"] += sum(isinstance(event, MoveAccepted) for event in events)
        self.table.covered = set()
        self._expect(1)
        return True

    def _lay_on_another(self) -> bool:
        """Lays a piece on pieces of other colours and lifts it again."""
        colour, board = self.position.to_move, self.position.board
        assert colour is not None
        own = self.position.squares(colour)
        move = board.move(self.chance.randrange(board.placements))
        touches_own = own & (board.edge_neighbours(move.mask) | move.mask)
        if not move.mask & self.position.occupied or touches_own or not self.position.laid[colour]:
            return False
        under = dict(self.table.contents)
        self._cheat(colour, move)
        self.table.contents = under
        self._expect(0)
        return True

    def _play_on_in_doubt(self) -> bool:
        """Makes a square next to a new piece ambiguous; the game goes on before it is resolved."""
        colour, position = self.position.to_move, self.position
        assert colour is not None
        move = self._some_move(position)
        free = squares_of(position.board.edge_neighbours(move.mask) & ~position.occupied)
        larger = [s for s in free if position.board.find((*move.squares, s)) is not None]
        if not larger or not position.occupied:
            return False
        doubtful = self.chance.choice(larger)
        self._lay(move)
        self.table.faint[doubtful] = {self.palette[colour]: self.chance.uniform(-2.0, 0.5)}
        events = self.match.after_hand(4)
        later = self.chance.randint(1, 6)
        made = 1
        while made <= later and not self.position.is_over:
            next_move = self._some_move(self.position)
            if next_move.mask >> doubtful & 1:
                break
            self._lay(next_move)
            events += self.match.after_hand(4)
            self._count_open()
            made += 1
        accepted = [(one.colour, one.move) for one in events if isinstance(one, MoveAccepted)]
        self.tally["wrong accepts"] += sum(one not in self.laid for one in accepted)
        refused = [one for one in events if isinstance(one, MoveRefused)]
        self.tally["wrong refusals"] += len(refused)
        self.table.faint.clear()
        due = len(self.laid) - self.match.referee.state.piece_count
        self._expect(due)
        return True

    def _count_open(self) -> None:
        """Counts the newest move, laid after a doubt, if it is accepted or pending as laid."""
        state = self.match.referee.state
        recorded = {(ply.colour, ply.move) for ply in state.history} | {*state.pending}
        self.tally["moves after a doubt"] += 1
        self.tally["of these told at once"] += self.laid[-1] in recorded
        self.tally["wrong accepts"] += sum(one not in self.laid for one in state.pending)

    # Expected verdicts of the referee

    def _expect(
        self,
        moves: int,
        refused: Iterable[Piece] = (),
        *,
        astray: Iterable[Piece] = (),
        names: Iterable[str] = (),
    ) -> None:
        """Shows the board until the referee is right, and counts its events.

        Args:
            moves: number of the newest placements that it has to accept.
            refused: pieces on the board that it has to refuse.
            astray: pieces that it has to report as disturbed.
            names: names of further allowed events besides moves and refusals.
        """
        due = self.laid[-moves:] if moves else []
        pieces = {(colour, move.mask) for colour, move in refused}
        missing = {(colour, move.mask) for colour, move in astray}
        awaited = mask_of(
            square for _, move in (*due, *refused, *astray) for square in move.squares
        )
        # The lights of a lit table are still visible in the first clear frame.
        events = self.match.after_hand(2 if self.match.pieces is None else 3)
        undecided = not self._is_right(pieces, missing)
        start, silent = self.match.now, True
        for _ in range(ATTEMPTS):
            if self._is_right(pieces, missing):
                break
            silent = silent and not self._is_told(awaited)
            self.tally["silent for 10 s"] += silent and self.match.now - start >= LONGEST_S
            events += self.match.after_hand(5)
        else:
            self.tally["accidents missed" if names else "stuck"] += 1
            self.tally["stuck"] += bool(names)
        self._count(events, due, pieces, set(names))
        self.tally["legal undecided after two frames"] += undecided * moves
        self.tally["illegal undecided after two frames"] += undecided * len(pieces)

    def _is_told(self, squares: int) -> bool:
        """True if the table names some of these squares; without any, if it asks people to act."""
        referee = self.match.referee
        if not squares or referee.state.candidates_frame is not None:
            return referee.phase in TELLS
        return bool(squares & mask_of(told_squares(referee)))

    def _is_right(self, refused: set[tuple[int, int]], astray: set[tuple[int, int]]) -> bool:
        state = self.match.referee.state
        present = {(one.colour, mask_of(one.squares)) for one in state.refused}
        missed = {(one.colour or 0, mask_of(one.squares)) for one in state.disturbed}
        if not self.position.occupied:
            # The frame is not decided yet, so squares may be given in either.
            present, refused = {(c, 0) for c, _ in present}, {(c, 0) for c, _ in refused}
        settled = not state.candidates and state.position.laid == self.position.laid
        return settled and (present, missed) == (refused, astray)

    def _count(
        self,
        events: list[Event],
        due: list[Piece],
        refused: set[tuple[int, int]],
        names: set[str],
    ) -> None:
        accepted = [(one.colour, one.move) for one in events if isinstance(one, MoveAccepted)]
        # A piece lifted while in doubt may be accepted and undone; it must be the piece laid.
        self.tally["wrong accepts"] += sum(one not in due for one in accepted)
        for one in events:
            if isinstance(one, MoveRefused) and self.position.occupied:
                place = one.colour, mask_of(one.squares)
                legal = any(place[1] & move.mask for _, move in due)
                self.tally["wrong refusals"] += place not in refused and legal
                self.tally["refused other squares"] += place not in refused and not legal
        # A doubtful piece may be refused again, with more rules.
        newest = {(one.colour, one.squares): one for one in events if isinstance(one, MoveRefused)}
        for (colour, squares), one in newest.items():
            named = {violation.rule for violation in one.violations}
            broken = self._broken(squares, colour)
            is_due = (colour, mask_of(squares)) in refused and self.position.occupied
            # While squares are hidden, only rules that are broken whatever they hold are named.
            self.tally["refused by other rules"] += is_due and not named <= broken
            self.tally["refused by fewer rules"] += is_due and named < broken
        kinds = {one.name for one in events}
        self.tally["wrongly disturbed or undone"] += bool((kinds & {"disturbed", "undone"}) - names)
        self.tally["placements told unsure"] += "unsure" in kinds
