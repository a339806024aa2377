"""Example pages of positions that were reached by legal moves."""

import random
from dataclasses import dataclass, replace

from firmware.codes import Rule
from firmware.game.events import Candidate as Doubt
from firmware.game.events import ColouredSquares
from firmware.game.state import GameState, Ply
from firmware.rules.board import Move as Placement
from firmware.rules.position import Position
from firmware.rules.variants import default_edition
from firmware.rules.violations import Violation
from firmware.storage.page_builder import PageContext, PuzzleProgress, build_page
from web.contract import (
    AnswerCode,
    BoardPiece,
    CandidateEntry,
    CommandName,
    MachineStatus,
    Mark,
    MoveEntry,
    Page,
    PairedPhones,
    PlayerClock,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    Square,
    ViolationEntry,
    fingerprint,
)

TOKEN = "a-token-of-the-table"  # noqa: S105
NUMBER = "123456789012"
PHONES = PairedPhones((fingerprint(TOKEN),), (("salt", fingerprint("salt" + NUMBER)),))
"""Paired phones of a table: one phone, and one valid number."""

SOLVED_TETROMINOES = (
    (0, "a9,b9,a10,b10"),
    (0, "c7,c8,c9,c10"),
    (0, "d9,d10,e10,f10"),
    (1, "g9,h9,g10,h10"),
    (1, "e6,e7,e8,e9"),
    (2, "f6,f7,f8,f9"),
    (1, "a6,a7,a8,b8"),
    (3, "d5,d6,d7,d8"),
    (2, "h6,h7,g8,h8"),
    (0, "c5,b6,c6,b7"),
    (3, "f5,g5,g6,g7"),
    (1, "b4,c4,a5,b5"),
    (2, "d3,d4,e4,e5"),
    (0, "h3,g4,h4,h5"),
    (1, "a2,a3,b3,a4"),
    (2, "e3,f3,g3,f4"),
    (3, "d1,c2,d2,c3"),
    (3, "a1,b1,c1,b2"),
    (2, "e1,f1,e2,f2"),
    (3, "g1,h1,g2,h2"),
)
"""A solution of the tetrominoes: colour and squares of each piece, from the top row down."""


@dataclass(frozen=True)
class ExamplePosition:
    """A position and its moves."""

    position: Position
    moves: tuple[MoveEntry, ...] = ()


def played(game: str, plies: int, seed: int = 1) -> ExamplePosition:
    """Returns the position after `plies` moves of people who lay big pieces first."""
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    moves: list[MoveEntry] = []
    for ply in range(1, plies + 1):
        moves += [MoveEntry(ply - 1, c) for c in position.passing if is_news(moves, c)]
        colour = position.to_move
        if colour is None:
            break
        legal = list(position.legal_moves)
        most = max(move.piece.size for move in legal)
        placement = chance.choice([move for move in legal if move.piece.size == most])
        squares = tuple(square_of(position, s) for s in placement.squares)
        moves.append(MoveEntry(ply, colour, placement.piece.name, squares))
        position = position.play(placement)
    return ExamplePosition(position, tuple(moves))


def is_news(moves: list[MoveEntry], colour: int) -> bool:
    """True if a colour has not passed before."""
    return all(move.piece or move.colour != colour for move in moves)


def page_of(
    game_so_far: ExamplePosition, state: RefereeStatus | None = None, **others: object
) -> Page:
    """Returns the page of a position, as the table sends it, with passes among its moves."""
    position, moves = game_so_far.position, game_so_far.moves
    placements = [move for move in moves if move.piece]
    newest = tuple(Ply(m.colour, position.laid[m.colour][-1], position) for m in placements[-1:])
    over = position.to_move is None
    made = build_page(
        GameState(position, history=newest, over=over),
        PageContext(
            code=RefereeState.GAME_OVER if over else RefereeState.WAITING,
            edition=default_edition(position.game),
            names=("Anna", "Ben", "Chie", "Dora"),
        ),
    )
    status = made.state if over or state is None else state
    return replace(made, revision=len(moves), moves=moves, **{"state": status, **others})  # type: ignore[arg-type]


def square_of(position: Position, square: int) -> Square:
    return divmod(square, position.game.size)


def reason_of(position: Position, violation: Violation) -> ViolationEntry:
    return ViolationEntry(
        violation.rule,
        tuple(square_of(position, s) for s in violation.squares),
        tuple(square_of(position, s) for s in violation.against),
    )


def refused(game: ExamplePosition, rule: str = "touches-own-side") -> Page:
    """Returns a page with a refused piece on free squares that breaks the rule."""
    position = game.position
    colour = position.to_move
    assert colour is not None
    placement, violations = offence(position, colour, rule)
    squares = tuple(square_of(position, s) for s in placement.squares)
    wrong = BoardPiece(colour, squares, Mark.REFUSED)
    reasons = tuple(reason_of(position, one) for one in violations)
    page = page_of(game)
    return replace(
        page,
        revision=page.revision + 1,
        state=RefereeStatus(RefereeState.REFUSED, colour, squares),
        refused=(RefusedPiece(colour, squares, reasons),),
        pieces=(*page.pieces, wrong),
    )


def offence(position: Position, colour: int, rule: str) -> tuple[Placement, tuple[Violation, ...]]:
    for index in range(position.board.placements - 1, 0, -7):
        placement = position.board.move(index)
        used = {move.piece for move in position.laid[colour]}
        if placement.mask & position.occupied or placement.piece in used:
            continue
        violations = position.examine(placement.squares, colour)
        if [one.rule.value for one in violations] == [rule]:
            return placement, violations
    raise AssertionError(f"no placement breaks only {rule} here")


def duo_refused() -> Page:
    return refused(played("duo", 15))


def duo_to_lift() -> Page:
    """Returns a page whose last move was taken back; its piece lies there."""
    before = played("duo", 15)
    last, page = before.moves[-1], page_of(played("duo", 14))
    return replace(page, state=RefereeStatus(RefereeState.TO_LIFT, last.colour), to_lift=(last,))


def classic_middle() -> Page:
    return page_of(played("classic", 38, seed=4))


def duo_over() -> Page:
    return page_of(played("duo", 99, seed=3))


def empty(game: str = "duo") -> Page:
    return page_of(ExamplePosition(Position.start(game)))


def duo_unsure() -> Page:
    """Returns a page with two possible moves, clocks, and all commands possible."""
    page = page_of(played("duo", 12))
    other = page_of(played("duo", 13)).moves[-1]
    shifted = tuple((row, column - 1) for row, column in other.squares)
    candidates = tuple(
        CandidateEntry(other.colour, other.piece, squares, share)
        for squares, share in ((other.squares, 0.62), (shifted, 0.38))
    )
    return replace(
        page,
        state=RefereeStatus(RefereeState.UNSURE, squares=other.squares),
        candidates=candidates,
        clocks=(PlayerClock((0,), 754_000, running=True, free_ms=5_000), PlayerClock((1,), 21_000)),
        possible=tuple(CommandName),
    )


def duo_pending() -> Page:
    """Returns a page with two legal readings of a piece, a later move, and two unclear squares."""
    before, after = played("duo", 12).position, played("duo", 14).position
    colour = before.to_move
    assert colour == 0
    newest = after.laid[colour][-1]
    other = next(m for m in before.legal_moves if m.mask & newest.mask and m != newest)
    state = GameState(
        before,
        candidates=(Doubt(colour, newest, 0.55), Doubt(colour, other, 0.45)),
        pending=((1, after.laid[1][-1]),),
        turn_after=colour,
        unclear=(ColouredSquares(colour, tuple(before.board.parse_squares("a14,b14"))),),
    )
    edition = default_edition(before.game)
    context = PageContext(RefereeState.UNSURE, edition, names=("Anna", "Ben"))
    return replace(build_page(state, context), revision=3, possible=tuple(CommandName))


def duo_astray() -> Page:
    """Returns a page with a displaced piece, and a sleeve over a corner."""
    page = page_of(played("duo", 14))
    pushed = page.pieces[2]
    others = {square for piece in page.pieces if piece is not pushed for square in piece.squares}
    ways = ((row, column) for row in range(-4, 5) for column in range(-4, 5))
    place = next(
        squares
        for down, right in ways
        if not others.union(pushed.squares).intersection(
            squares := tuple((row + down, column + right) for row, column in pushed.squares)
        )
        and all(0 <= at < page.size for square in squares for at in square)
    )
    state = RefereeStatus(
        RefereeState.DISTURBED,
        pushed.colour,
        squares=pushed.squares,
        current_squares=place,
        target_squares=pushed.squares,
    )
    return replace(page, state=state, covered=tuple((row, 0) for row in range(3)))


def duo_asked() -> Page:
    """Returns a page of a game that was on the board at the start, with an unknown turn."""
    page = page_of(played("duo", 12), RefereeStatus(RefereeState.UNSURE, asked=(0, 1)))
    return replace(
        page, moves=(), turn=None, possible=(CommandName.SET_POSITION, CommandName.NEW_GAME)
    )


def duo_hot() -> Page:
    """Returns a page of a table whose computer is hot and gets too little voltage."""
    machine = MachineStatus(hot=True, celsius=82, undervoltage=True)
    return replace(page_of(played("duo", 15)), machine=machine)


def puzzle(
    game: str = "puzzle-tetrominoes", plies: int = 9, progress: PuzzleProgress | None = None
) -> Page:
    """Returns the page of a puzzle after some legal moves at random."""
    chance = random.Random(5)  # noqa: S311
    position, history = Position.start(game), list[Ply]()
    while len(history) < plies and position.to_move is not None:
        legal = [(c, m) for c in position.game.colours for m in position.moves_of(c)]
        if not legal:
            break
        colour, move = chance.choice(legal)
        history.append(Ply(colour, move, position))
        position = position.play(move, colour)
    context = PageContext(
        code=RefereeState.WAITING,
        edition=default_edition(position.game),
        names=("Anna",),
        puzzle=progress or PuzzleProgress(taken_s=83.4, running=True, best_s=61.0),
    )
    page = build_page(GameState(position, history=tuple(history), begun=plies > 0), context)
    possible = tuple(one for one in CommandName if one is not CommandName.BEGIN_ANEW)
    return replace(page, revision=plies, possible=possible)


def puzzle_impossible() -> Page:
    """Returns the page of a puzzle that cannot be solved any more since its last move but one."""
    page = puzzle()
    culprit = page.moves[-2]
    assert page.puzzle is not None
    answer = replace(
        page.puzzle,
        answer=AnswerCode.IMPOSSIBLE,
        impossible_since=culprit.ply,
        culprit=culprit.squares,
    )
    return replace(page, puzzle=answer)


def puzzle_refused() -> Page:
    """Returns the page of a puzzle with a refused piece that reaches beyond its field."""
    page = puzzle(plies=5)
    squares = ((15, 6), (15, 7), (15, 8), (15, 9))
    reason = ViolationEntry(Rule.OUTSIDE_FIELD, squares[2:])
    return replace(
        page,
        state=RefereeStatus(RefereeState.REFUSED, 2, squares),
        refused=(RefusedPiece(2, squares, (reason,)),),
        pieces=(*page.pieces, BoardPiece(2, squares, Mark.REFUSED)),
    )


def puzzle_solved() -> Page:
    """Returns the page of the 20 tetrominoes in their field."""
    position, history = Position.start("puzzle-tetrominoes"), list[Ply]()
    for colour, move in SOLVED_TETROMINOES:
        placed = Placement.parse(move, position.game.size)
        history.append(Ply(colour, placed, position))
        position = position.play(placed, colour)
    context = PageContext(
        code=RefereeState.GAME_OVER,
        edition=default_edition(position.game),
        names=("Anna",),
        puzzle=PuzzleProgress(taken_s=192.0, best_s=161.0),
    )
    page = build_page(GameState(position, history=tuple(history), over=True), context)
    return replace(page, revision=40, name="000002-puzzle-tetrominoes")


ALL = {
    "astray": duo_astray,
    "asked": duo_asked,
    "unsure": duo_unsure,
    "pending": duo_pending,
    "refused": duo_refused,
    "to-lift": duo_to_lift,
    "classic": classic_middle,
    "over": duo_over,
    "empty": empty,
    "hot": duo_hot,
    "puzzle": puzzle,
    "puzzle-all": lambda: puzzle("puzzle-all", 30),
    "puzzle-empty": lambda: puzzle("puzzle-pentominoes", 0),
    "puzzle-impossible": puzzle_impossible,
    "puzzle-refused": puzzle_refused,
    "puzzle-solved": puzzle_solved,
}
