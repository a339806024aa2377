"""Sentences from codes. Every word a viewer reads is in the tables of this file.

The tables hold English message ids, marked for extraction by gettext with `mark`; a language is
a set of `gettext` translations given to `Wording`. Pure: no Flask, no markup, no state. What
comes from people (names, reasons) is put into a sentence as it is; whoever draws it escapes it.
"""

from collections.abc import Iterable
from gettext import NullTranslations
from typing import Final

from web.contract import Code, Colour, How, Move, Page, Reason, Result, Rule, Scoring, Side, Square


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
    Code.PAUSED: mark("paused"),
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
ENDED: Final = {
    How.SCORE: mark("{result}"),
    How.RESIGNED: mark("{result}; the others resigned"),
    How.TIME: mark("{result}; the time of the others ran out"),
    How.ABANDONED: mark("without a result"),
}
"""What is added where a word of the arbiter ended the game."""
AND: Final = mark("{first} and {last}")
COMMA: Final = mark(", ")

LAID: Final = mark("{colour} lays {piece} at {squares}")
PASSES: Final = mark("{colour} passes")

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
}

_TOO_MANY: Final = 8


class Wording:
    """The words of one language.

    Args:
        translations: of the message ids; English where it has none.
    """

    __slots__ = ("_translations",)

    def __init__(self, translations: NullTranslations | None = None) -> None:
        self._translations: Final = translations or NullTranslations()

    def label(self, key: str) -> str:
        """A fixed text of the page, by its key in `LABELS`."""
        return self._translate(LABELS[key])

    def colour(self, colour: Colour) -> str:
        """What a colour is called."""
        return self._translate(COLOURS.get(colour.name, colour.name))

    def state(self, page: Page) -> str:
        """What the referee is doing, in a sentence, with whatever else must be said now."""
        sentences = [self._state(page)]
        if not page.finished:
            out = [self._colour(page, i) for i, c in enumerate(page.colours) if c.out]
            sentences += [self._translate(OUT).format(colour=colour) for colour in out]
        if not page.saved:
            sentences.append(self._translate(NOT_SAVED))
        return " ".join(map(_as_sentence, sentences))

    def reason(self, page: Page, reason: Reason, piece: str) -> str:
        """One broken rule, as a clause.

        Args:
            page: for the names of squares.
            reason: the rule, and where.
            piece: what to call the piece, the subject of the clause.
        """
        return self._translate(RULES[reason.rule]).format(
            piece=piece,
            squares=self._squares(page, reason.squares),
            against=self._squares(page, reason.against),
        )

    def result(self, page: Page) -> str:
        """How the game ended, as a clause; empty while it lasts."""
        result = page.result
        if result is None:
            return ""
        said = "" if result.how is How.ABANDONED else self._outcome(page, result)
        return self._translate(ENDED[result.how]).format(result=said)

    def _outcome(self, page: Page, result: Result) -> str:
        first = set(result.winner or result.tied)
        best = [side for side in page.sides if first.issuperset(side.colours)]
        colours = self._all(self._colour(page, i) for side in best for i in side.colours)
        score = self.score(best[0].score) if best else ""
        if result.tied:
            return self._translate(TIE).format(colours=colours, score=score)
        rest = self._all(
            self.score(side.score) for side in _ranked(page) if not first.issuperset(side.colours)
        )
        message = ONE_WINS if len(result.winner) == 1 else TEAM_WINS
        return self._translate(message).format(
            colour=colours, colours=colours, score=score, others=rest
        )

    def move(self, page: Page, move: Move) -> str:
        """A move or a pass, as a clause."""
        colour = self._colour(page, move.colour)
        if not move.piece:
            return self._translate(PASSES).format(colour=colour)
        squares = self._squares(page, move.squares)
        return self._translate(LAID).format(colour=colour, piece=move.piece, squares=squares)

    def announcement(self, page: Page) -> str:
        """What is worth saying aloud: the last move, and a state that asks for something.

        It stays the same while a hand comes and goes, so that a screen reader speaks once.
        """
        said = [self.move(page, page.moves[-1])] if page.moves else []
        if page.state.code in (Code.HAND, Code.SETTLING, Code.ACCEPTED, Code.WAITING):
            if page.turn is not None:
                colour = self._colour(page, page.turn)
                said.append(self._translate(STATES[Code.WAITING]).format(colour=colour))
        else:
            said.append(self._state(page))
        return " ".join(map(_as_sentence, said))

    def score(self, score: int | None) -> str:
        """A score with a true minus sign; a dash for one that counts for nobody."""
        return "–" if score is None else str(score).replace("-", "−")

    def capital(self, text: str) -> str:
        """The text as it begins a line of its own."""
        return text[:1].upper() + text[1:]

    def _state(self, page: Page) -> str:
        state = page.state
        match state.code:
            case Code.REFUSED:
                return self._refused(page)
            case Code.GAME_OVER:
                return self._translate(STATES[state.code]).format(result=self.result(page))
            case Code.BOARD_LOST if state.detail:
                return self._translate(BOARD_LOST_WHY).format(detail=state.detail.rstrip("."))
            case Code.ACCEPTED if page.moves:
                move = self.move(page, page.moves[-1])
                return self._translate(ACCEPTED_MOVE).format(move=move)
            case Code.DISTURBED | Code.UNSURE if state.squares:
                squares = self._squares(page, state.squares)
                return self._translate(STATES_WITH_SQUARES[state.code]).format(squares=squares)
        colour = "" if state.colour is None else self._colour(page, state.colour)
        return self._translate(STATES[state.code]).format(colour=colour)

    def _refused(self, page: Page) -> str:
        assert page.state.colour is not None, "the contract sees to it"
        colour = self._colour(page, page.state.colour)
        pieces = [self._translate(PIECE_OF).format(colour=colour)]
        pieces += [self._translate(PIECE_AGAIN)] * (len(page.state.reasons) - 1)
        clauses = [
            self.reason(page, reason, piece)
            for reason, piece in zip(page.state.reasons, pieces, strict=True)
        ]
        reasons = self._translate(COMMA).join(clauses)
        return self._translate(STATES[Code.REFUSED]).format(reasons=reasons)

    def _translate(self, message: str) -> str:
        return self._translations.gettext(message)

    def _colour(self, page: Page, index: int) -> str:
        return self.colour(page.colours[index])

    def _squares(self, page: Page, squares: tuple[Square, ...]) -> str:
        names = [page.square_name(square) for square in squares[:_TOO_MANY]]
        if len(squares) > _TOO_MANY:
            names.append("…")
        return self._translate(COMMA).join(names)

    def _all(self, words: Iterable[str]) -> str:
        *first, last = [*words] or [""]
        if not first:
            return last
        start = self._translate(COMMA).join(first)
        return self._translate(AND).format(first=start, last=last)


def _ranked(page: Page) -> list[Side]:
    return sorted(page.sides, key=lambda side: side.score, reverse=page.scoring is Scoring.ADVANCED)


def _as_sentence(clause: str) -> str:
    """A clause with a capital at its beginning and a full stop at its end."""
    ends = clause.endswith((".", "!", "?", "。"))
    return clause[:1].upper() + clause[1:] + ("" if ends else ".")
