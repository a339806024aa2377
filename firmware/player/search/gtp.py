"""The player as a GTP engine, with the interface of Pentobi (`Pentobi-GTP.md` in enz/pentobi).

The Go Text Protocol, version 2: one command a line, with an optional number before it; an answer
begins with `=` or `?` and ends with an empty line. Starting squares are fixed to the colours as
in Pentobi. Any colour can be asked for a move at any time; one without a placement answers
`pass`, which is an answer and never a move.
"""

import time
from collections.abc import Callable, Iterable
from typing import Final, TextIO

from firmware.codes import ALL_PLACED_BONUS, MONOMINO_LAST_BONUS
from firmware.player.search_result import SearchResult
from firmware.rules.board import Move
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES, Colour, Starts, Variant

_TWO: Final = ({"b": 0, "black": 0, "blue": 0, "purple": 0}, {"w": 1, "white": 1, "green": 1})
"""Names of the colours in games of two."""

_FOUR: Final = (
    {"1": 0, "blue": 0},
    {"2": 1, "yellow": 1},
    {"3": 2, "red": 2},
    {"4": 3, "green": 3},
)
"""Names of the colours in games of four."""

_LETTERS: Final = "XO#@"
"""Letters of the colours in `showboard`."""


Think = Callable[[Position], SearchResult]
"""Searches a position."""


class _FailureError(ValueError):
    """The answer to a command is an error."""


class GtpEngine:
    """Executes GTP commands on a game and a player.

    Args:
        think: searches a position; its first choice is played.
        game: the first game.
        version: version of the program, for the command `version`.
    """

    def __init__(self, think: Think, game: Variant, version: str) -> None:
        self._think: Final = think
        self._past: list[Position] = []
        self._position = Position.start(game, Starts.FIXED)
        self._result: SearchResult | None = None
        self._commands: Final[dict[str, Callable[[list[str]], str]]] = {
            "all_legal": self._all_legal,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "cputime": lambda _: f"{time.process_time():.3f}",
            "final_score": self._final_score,
            "genmove": self._genmove,
            "known_command": lambda words: str(_one(words) in self._commands).lower(),
            "list_commands": lambda _: "\n".join(sorted(self._commands)),
            "move_values": self._move_values,
            "name": lambda _: "Cornerlight",
            "play": self._play,
            "protocol_version": lambda _: "2",
            "quit": lambda _: "",
            "reg_genmove": self._reg_genmove,
            "set_game": self._set_game,
            "showboard": self._showboard,
            "undo": self._undo,
            "version": lambda _: version,
        }

    def serve(self, source: Iterable[str], out: TextIO) -> None:
        """Answers commands until `quit` or the end of the input."""
        for line in source:
            words = line.partition("#")[0].split()
            if not words:
                continue
            number = words.pop(0) if words[0].isdecimal() else ""
            command = words.pop(0) if words else ""
            out.write(self.answer(number, command, words))
            out.flush()
            if command == "quit":
                return

    def answer(self, number: str, command: str, words: list[str]) -> str:
        """The answer to one command, with the empty line that ends it."""
        if command not in self._commands:
            return f"?{number} unknown command ({command})\n\n"
        try:
            return f"={number} {self._commands[command](words)}\n\n"
        except (_FailureError, RulesError) as error:
            return f"?{number} {error}\n\n"

    # The game

    def _begin(self, game: Variant) -> str:
        self._past = []
        self._position = Position.start(game, Starts.FIXED)
        self._result = None
        return ""

    def _clear_board(self, words: list[str]) -> str:
        _none(words)
        return self._begin(self._position.game)

    def _boardsize(self, words: list[str]) -> str:
        game = self._position.game
        if _one(words) != str(game.size):
            raise _FailureError(f"{game.title} has {game.size} squares along a side")
        return self._begin(game)

    def _set_game(self, words: list[str]) -> str:
        name = " ".join(words)
        for game in GAMES.values():
            if name in (game.record_name, game.key):
                return self._begin(game)
        raise _FailureError(f"there is no game {name!r}")

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise _FailureError("a colour and a move")
        colour = self._colour(words[0])
        if words[1].lower() == "pass":
            raise _FailureError("a pass is an answer and no move")
        move = Move.parse(words[1].lower(), self._position.game.size)
        self._lay(colour, move)
        return ""

    def _lay(self, colour: Colour, move: Move) -> None:
        turned = self._position.with_turn(colour)
        if move not in turned.moves_of(colour):
            rules = ", ".join(one.rule for one in turned.examine(move.squares, colour))
            raise _FailureError(f"illegal move: {rules}")
        self._past.append(self._position)
        self._position = turned.play(move)

    def _undo(self, words: list[str]) -> str:
        _none(words)
        if not self._past:
            raise _FailureError("cannot undo")
        self._position = self._past.pop()
        return ""

    def _colour(self, text: str) -> Colour:
        for names in _TWO if len(self._position.game.colours) == 2 else _FOUR:
            if text.lower() in names:
                return names[text.lower()]
        raise _FailureError(f"invalid colour {text!r}")

    # The player

    def _choose(self, colour: Colour) -> Move | None:
        turned = self._position.with_turn(colour)
        if not turned.moves_of(colour):
            return None
        self._result = self._think(turned)
        return self._result.choices[0].move

    def _genmove(self, words: list[str]) -> str:
        colour = self._colour(_one(words))
        move = self._choose(colour)
        if move is None:
            return "pass"
        self._lay(colour, move)
        return str(move)

    def _reg_genmove(self, words: list[str]) -> str:
        move = self._choose(self._colour(_one(words)))
        return "pass" if move is None else str(move)

    def _move_values(self, words: list[str]) -> str:
        _none(words)
        if self._result is None:
            return ""
        return "\n".join(
            f"{one.visits} {one.prior:.3f} {one.value:.3f} [{one.move.piece.name}]{one.move}"
            for one in self._result.choices
        )

    # The board

    def _all_legal(self, words: list[str]) -> str:
        return "\n".join(map(str, self._position.moves_of(self._colour(_one(words)))))

    def _final_score(self, words: list[str]) -> str:
        _none(words)
        position = self._position
        if position.game.people == 2 or len(position.game.sides) == 2:
            first, second = (side.advanced for side in score(position).sides)
            lead = first - second
            return f"B+{lead}" if lead > 0 else f"W+{-lead}" if lead < 0 else "0"
        return " ".join(str(_points(position, colour)) for colour in position.game.colours)

    def _showboard(self, words: list[str]) -> str:
        _none(words)
        position = self._position
        size = position.game.size
        rows = [
            f"{size - i:>2} " + " ".join(row)
            for i, row in enumerate(position.rows(_LETTERS[: len(position.game.colours)]))
        ]
        columns = "   " + " ".join(position.board.format_square(i)[0].upper() for i in range(size))
        hands = [
            f"{_LETTERS[colour]}: {_points(position, colour)}" for colour in position.game.colours
        ]
        return "\n" + "\n".join([*rows, columns, *hands])


def _points(position: Position, colour: Colour) -> int:
    """Squares on the board and the bonus, as in Pentobi."""
    one = score(position).colours[colour]
    if one.basic:
        return one.placed
    last = position.laid[colour][-1].piece.size == 1
    return one.placed + ALL_PLACED_BONUS + (MONOMINO_LAST_BONUS if last else 0)


def _none(words: list[str]) -> None:
    if words:
        raise _FailureError("too many arguments")


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise _FailureError("one argument is needed")
    return words[0]
