"""Solved puzzles, as positions and as moves in an order of play."""

from typing import Final

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour

TETROMINOES: Final = Position.parse(
    "puzzle-tetrominoes free 1"
    " | b8,a9,b9,a10 f5,f6,f7,f8 a4,b4,b5,b6 g4,h4,g5,h5 a1,a2,b2,a3"
    " | d9,b10,c10,d10 g6,h6,g7,h7 h1,g2,h2,h3 b1,c1,c2,d2 d1,e1,f1,g1"
    " | e7,e8,e9,e10 f9,g9,f10,g10 g8,h8,h9,h10 b3,c3,c4,d4 e2,d3,e3,e4"
    " | d7,c8,d8,c9 a5,a6,a7,a8 c5,c6,b7,c7 d5,e5,d6,e6 f2,f3,g3,f4"
)

TETROMINOES_APART: Final = Position.parse(
    "puzzle-tetrominoes-apart free 1"
    " | b8,a9,b9,a10 d7,d8,d9,e9 g6,h6,g7,h7 a3,b3,c3,b4 f1,f2,f3,f4"
    " | d10,e10,f10,g10 a6,a7,b7,a8 d6,e6,e7,f7 g3,h3,h4,h5 d2,e2,d3,e3"
    " | h8,g9,h9,h10 c4,c5,c6,c7 g4,f5,g5,f6 a1,a2,b2,c2 g1,h1,g2,h2"
    " | c8,c9,b10,c10 e8,f8,g8,f9 a4,a5,b5,b6 d4,e4,d5,e5 b1,c1,d1,e1"
)


def moves_of(solved: Position) -> tuple[tuple[Colour, Move], ...]:
    """Returns the pieces of a solved filling in an order of play: colour after colour."""
    return tuple((colour, move) for colour in solved.game.colours for move in solved.laid[colour])
