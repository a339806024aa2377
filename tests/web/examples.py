"""Pages of real positions, made by playing legal moves with the rules, to show and to test with."""

import random
from dataclasses import dataclass, replace

from firmware.rules.breaches import Breach
from firmware.rules.games import LETTERS, default_edition
from firmware.rules.pieces import PIECES
from firmware.rules.placements import Move as Placement
from firmware.rules.position import Position
from firmware.rules.score import Scoring as RulesScoring
from firmware.rules.score import score
from web.contract import (
    BoardPiece,
    Code,
    Colour,
    Mark,
    Move,
    Page,
    Reason,
    Result,
    Rule,
    Side,
    Square,
    State,
    TrayPiece,
)

INKS = {
    "purple": "#7d3c98",
    "orange": "#ef8a17",
    "black": "#2d2d31",
    "white": "#f3f1ea",
    "blue": "#1f66c9",
    "yellow": "#f4c20d",
    "red": "#d93025",
    "green": "#2e9e4f",
}


@dataclass(frozen=True)
class Played:
    """A position and how it came about."""

    position: Position
    moves: tuple[Move, ...] = ()


def played(game: str, plies: int, seed: int = 1) -> Played:
    """What stands there after so many moves of people who lay big pieces first."""
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    moves: list[Move] = []
    for ply in range(1, plies + 1):
        moves += [Move(ply - 1, c) for c in position.passing if is_news(moves, c)]
        colour = position.to_move
        if colour is None:
            break
        legal = list(position.legal_moves)
        most = max(move.piece.size for move in legal)
        placement = chance.choice([move for move in legal if move.piece.size == most])
        squares = tuple(square_of(position, s) for s in placement.squares)
        moves.append(Move(ply, colour, placement.piece.name, squares))
        position = position.play(placement)
    return Played(position, tuple(moves))


def is_news(moves: list[Move], colour: int) -> bool:
    """Whether a colour that passes has not done so before."""
    return all(move.piece or move.colour != colour for move in moves)


def page_of(game_so_far: Played, state: State | None = None, **others: object) -> Page:
    """The page of a position, as the table would say it."""
    position, moves = game_so_far.position, game_so_far.moves
    game = position.game
    names = default_edition(game)
    worth = score(position)
    colours = tuple(
        Colour(
            name=names[c],
            letter=LETTERS[names[c]],
            ink=INKS[names[c]],
            player=("Anna", "Ben", "Chie", "Dora")[c],
            score=worth.colours[c].advanced,
            placed=worth.colours[c].placed,
            left=tuple(
                TrayPiece(piece.name, piece.orientations[0])
                for piece in PIECES
                if not position.piece_used(c, piece.index)
            ),
            out=not position.moves_of(c),
        )
        for c in game.colours
    )
    turn = position.to_move
    laid = [move for move in moves if move.piece]
    last = laid[-1] if laid else None
    result = None
    if turn is None:
        best = worth.leaders(RulesScoring.ADVANCED)
        leaders = tuple(colour for side in best for colour in side.colours)
        result = Result(winner=leaders) if len(best) == 1 else Result(tied=leaders)
        state = State(Code.GAME_OVER)
    else:
        state = state or State(Code.WAITING, colour=turn)
    page = Page(
        revision=len(moves),
        title=game.title,
        size=game.size,
        colours=colours,
        sides=tuple(Side(side.colours, side.advanced) for side in worth.sides),
        state=state,
        starts=tuple(square_of(position, s) for s in squares_named(position, game.starts)),
        pieces=tuple(
            BoardPiece(m.colour, m.squares, Mark.LAST if m is last else Mark.NONE) for m in laid
        ),
        moves=moves,
        turn=turn,
        result=result,
    )
    return replace(page, **others)  # type: ignore[arg-type]


def squares_named(position: Position, names: tuple[str, ...]) -> list[int]:
    return position.board.parse_squares(",".join(names))


def square_of(position: Position, square: int) -> Square:
    return divmod(square, position.game.size)


def reason_of(position: Position, breach: Breach) -> Reason:
    return Reason(
        Rule(breach.rule.value),
        tuple(square_of(position, s) for s in breach.squares),
        tuple(square_of(position, s) for s in breach.against),
    )


def refused(game: Played, rule: str = "touches-own-side") -> Page:
    """The position with a piece on it that breaks that rule and lies on free squares."""
    position = game.position
    colour = position.to_move
    assert colour is not None
    placement, breaches = offence(position, colour, rule)
    state = State(
        Code.REFUSED, colour=colour, reasons=tuple(reason_of(position, b) for b in breaches)
    )
    page = page_of(game, state)
    squares = tuple(square_of(position, s) for s in placement.squares)
    wrong = BoardPiece(colour, squares, Mark.REFUSED)
    return replace(page, revision=page.revision + 1, pieces=(*page.pieces, wrong))


def offence(position: Position, colour: int, rule: str) -> tuple[Placement, tuple[Breach, ...]]:
    for index in range(position.board.placements - 1, 0, -7):
        placement = position.board.move(index)
        if placement.mask & position.occupied or position.piece_used(colour, placement.piece.index):
            continue
        breaches = position.examine(placement.squares, colour)
        if [b.rule.value for b in breaches] == [rule]:
            return placement, breaches
    raise AssertionError(f"no placement breaks only {rule} here")


def duo_refused() -> Page:
    return refused(played("duo", 15))


def classic_middle() -> Page:
    return page_of(played("classic", 38, seed=4))


def duo_over() -> Page:
    return page_of(played("duo", 99, seed=3))


def empty(game: str = "duo") -> Page:
    return page_of(Played(Position.start(game)))


ALL = {
    "refused": duo_refused,
    "classic": classic_middle,
    "over": duo_over,
    "empty": empty,
}
