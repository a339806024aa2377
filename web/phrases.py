"""Every word a viewer reads, in English, marked for translation. `web.wording` builds sentences.

The tables hold gettext's message ids. Their translations lie in `web/translations`, one file a
language; `make words` brings those up to date with this file and compiles them.
"""

from typing import Final

from web.contract import Code, Rule


def mark(message: str) -> str:
    """Marks a message id for extraction; gives it back as it is."""
    return message


COLOURS: Final = {
    "purple": mark("purple"),
    "orange": mark("orange"),
    "black": mark("black"),
    "white": mark("white"),
    "blue": mark("blue"),
    "yellow": mark("yellow"),
    "red": mark("red"),
    "green": mark("green"),
}

STATES: Final = {
    Code.WAITING: mark("waiting for {colour}"),
    Code.HAND: mark("a hand is over the board"),
    Code.SETTLING: mark("looking closely"),
    Code.ACCEPTED: mark("accepted"),
    Code.REFUSED: mark("refused: {reasons}; take it back"),
    Code.DISTURBED: mark("pieces have moved; put them back as shown"),
    Code.UNSURE: mark("not sure what was laid; please confirm"),
    Code.BOARD_LOST: mark("the board cannot be seen"),
    Code.GAME_OVER: mark("game over: {result}"),
}

STATES_WITH_SQUARES: Final = {
    Code.DISTURBED: mark("pieces have moved; put them back as shown at {squares}"),
    Code.UNSURE: mark("not sure what was laid at {squares}; please confirm"),
}
"""The same states when it is known where."""

ACCEPTED_MOVE: Final = mark("accepted: {move}")
BOARD_LOST_WHY: Final = mark("the board cannot be seen: {detail}")

RULES: Final = {
    Rule.OFF_BOARD: mark("{piece} reaches beyond the board"),
    Rule.OVERLAP: mark("{piece} lies on covered squares at {squares}"),
    Rule.NOT_A_PIECE: mark("{piece} is not one of the 21 shapes"),
    Rule.TWO_PIECES: mark("{piece} is two pieces at once"),
    Rule.PIECE_USED: mark("{piece} was laid before (at {against})"),
    Rule.TOUCHES_OWN_SIDE: mark("{piece} touches its own side at {squares} (next to {against})"),
    Rule.NO_OWN_CORNER: mark("{piece} touches no corner of its own colour"),
    Rule.MISSES_START: mark("{piece} has to cover a starting square ({against})"),
    Rule.WRONG_TURN: mark("{piece} was laid out of turn"),
    Rule.GAME_OVER: mark("{piece} was laid after the end of the game"),
}

PIECE_OF: Final = mark("{colour}'s piece")
PIECE_AGAIN: Final = mark("it")
OUT: Final = mark("{colour} has no move left and passes")
NOT_SAVED: Final = mark("not saved: the table cannot write its journal; the game goes on")

ONE_WINS: Final = mark("{colour} wins, {score} against {others}")
TEAM_WINS: Final = mark("{colours} win, {score} against {others}")
TIE: Final = mark("a tie between {colours} at {score}")
AND: Final = mark("{first} and {last}")
COMMA: Final = mark(", ")
FULL_STOP: Final = mark("{clause}.")
THEN: Final = mark("{first} {second}")
"""One sentence after another: some scripts put no space between them."""

LAID: Final = mark("{colour} lays {piece} at {squares}")
PASSES: Final = mark("{colour} passes")

TITLES: Final = {
    "Duo": mark("Duo"),
    "Classic": mark("Classic"),
    "Classic for two": mark("Classic for two"),
    "Classic for three": mark("Classic for three"),
    "Classic in teams": mark("Classic in teams"),
    "Duo with four colours": mark("Duo with four colours"),
    "Duo with four colours for three": mark("Duo with four colours for three"),
}

NO_MARKERS: Final = mark(
    "no board found: fewer than two of its four markers can be seen; "
    "uncover them, or give the corners of the field of squares"
)
NO_GRID: Final = mark(
    "markers were found, but no field of squares between them; "
    "make sure that nothing covers the board and that it is in focus"
)
MOVED_AWAY: Final = mark(
    "the board or the camera has moved and the grid was not found again; "
    "clear the board's edges, or calibrate anew"
)
DETAILS: Final = {text: text for text in (NO_MARKERS, NO_GRID, MOVED_AWAY)}
"""Why a board is lost, as the reader says it. One that is not here is shown as it was said."""

LABELS: Final = {
    "state": mark("State"),
    "board": mark("Board"),
    "scores": mark("Scores"),
    "trays": mark("Pieces in hand"),
    "moves": mark("Moves"),
    "no-moves": mark("No piece has been laid yet."),
    "camera": mark("The table, live"),
    "no-table": mark("Waiting for the table to begin."),
    "table-away": mark("The table does not answer. This is what it showed last."),
    "live": mark("live"),
    "polling": mark("live, every few seconds"),
    "lost": mark("connection lost, trying again"),
    "away": mark("table away"),
    "to-move": mark("to move"),
    "out": mark("no move left"),
    "winner": mark("winner"),
    "tied": mark("tied"),
    "shared": mark("shared"),
    "nothing-left": mark("Everything is on the board."),
    "pass": mark("pass"),
    "advanced": mark("points; the highest wins"),
    "basic": mark("squares in hand; the fewest win"),
    "menu": mark("More"),
    "language": mark("Language"),
    "this-device": mark("This device"),
    "aloud": mark("Say moves aloud"),
    "aloud-missing": mark("This browser has no voice to say moves with."),
    "awake": mark("Keep the screen on"),
    "awake-missing": mark(
        "A page in the local network cannot keep the screen on. "
        "Set the screen's own time-out, or leave a television on the page for the wall."
    ),
    "install-missing": mark(
        "It cannot be installed as an app; a bookmark on the home screen does the same."
    ),
    "wall": mark("Page for a television"),
    "watch": mark("The game now"),
    "games": mark("Past games"),
    "no-games": mark("No game has been finished here yet."),
    "older": mark("Older games"),
    "newer": mark("Newer games"),
    "no-page": mark("There is no such page."),
    "how": mark("How it came about"),
    "laid": mark("laid"),
    "in-hand": mark("in hand"),
    "bonus": mark("bonus"),
    "total": mark("score"),
    "course": mark("Squares laid beyond the average of all, round by round"),
    "picture": mark("Picture to share"),
    "record": mark("Record to keep"),
    "first-ply": mark("To the beginning"),
    "back-ply": mark("One move back"),
    "next-ply": mark("One move on"),
    "last-ply": mark("To the end"),
    "evidence": mark("What the camera saw"),
    "before": mark("before"),
    "after": mark("after"),
}
