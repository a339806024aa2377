"""Sentences from codes, in each viewer's language.

The words are in `web.i18n.phrases`; a language is a set of `gettext` translations given to
`Wording`.
Pure: no Flask, no markup, no state. What comes from people (names, reasons) is put into a
sentence as it is; whoever draws it escapes it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from gettext import NullTranslations
from typing import Final

from web.contract import (
    Colour,
    CommandName,
    EndReasonCode,
    FindingEntry,
    Mark,
    MoveEntry,
    Page,
    RatingCode,
    RefereeState,
    Result,
    ScoringCode,
    Side,
    Square,
    ViolationEntry,
)
from web.i18n.phrases import (
    ACCEPTED_MOVE,
    AND,
    ANSWERS,
    AT_SQUARES,
    BOARD_LOST_WHY,
    COLOURS,
    COMMA,
    COVERED,
    DETAILS,
    ENDED,
    FAULTS,
    FULL_STOP,
    GOES_BACK,
    HINT_ASKED,
    HINT_TOLD,
    HINT_WHOLE,
    HINTS_LEFT,
    IN_THE_WAY,
    LABELS,
    LAID,
    LEVELS,
    MISSING,
    NO_BUTTONS,
    NO_HINT,
    NO_LIGHTS,
    NOT_SAVED,
    NOT_WHOLE,
    ONE_WINS,
    OPTIONS,
    OUT,
    OVERRULED,
    PASSES,
    PENDING,
    PIECE_AGAIN,
    PIECE_OF,
    POINTS,
    RESIGNED,
    RULES,
    STATES,
    STATES_WITH_SQUARES,
    TEAM_WINS,
    THEN,
    TIE,
    TIME_OUT,
    TITLES,
    UNCLEAR,
    WAIT_FOR_NEXT,
    WHOSE_TURN,
    WHY_NO_HINT,
    WORDS,
)

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

    def option(self, key: str) -> str:
        """What can be chosen for a game, by its value in the contract."""
        return self._translate(OPTIONS[key])

    def word(self, word: CommandName) -> str:
        """What the button for a word of the arbiter is called."""
        return self._translate(WORDS[word])

    def answer(self, code: str) -> str:
        """What became of a wish, by its code; empty for what is none."""
        return self._known(ANSWERS, code) if code in ANSWERS else ""

    def wait_for_next(self, seconds: int) -> str:
        """How long until the lights show another number."""
        return self._translate(WAIT_FOR_NEXT).format(seconds=seconds)

    def detail(self, reason: str) -> str:
        """Why a board is lost; one that nobody translated is given as the reader said it."""
        return self._known(DETAILS, reason)

    def colour(self, colour: Colour) -> str:
        """What a colour is called."""
        return self.colour_named(colour.name)

    def colour_named(self, name: str) -> str:
        """What a colour of plastic is called, by its name in the contract."""
        return self._known(COLOURS, name)

    def state(self, page: Page) -> str:
        """What the referee is doing, in a sentence, with whatever else must be said now."""
        sentences = [self._state(page)]
        if any(piece.mark is Mark.PENDING for piece in page.pieces):
            sentences.append(self._translate(PENDING))
        if page.covered and page.state.code is not RefereeState.BOARD_LOST:
            squares = self._squares(page, page.covered)
            sentences.append(self._translate(COVERED).format(squares=squares))
        if not page.finished:
            out = [self._colour(page, i) for i, c in enumerate(page.colours) if c.out]
            sentences += [self._translate(OUT).format(colour=colour) for colour in out]
            sentences += self._decisions(page)
        if not page.saved:
            sentences.append(self._translate(NOT_SAVED))
        if not page.whole:
            sentences.append(self._translate(NOT_WHOLE))
        if not page.lights:
            sentences.append(self._translate(NO_LIGHTS))
        if not page.buttons:
            sentences.append(self._translate(NO_BUTTONS))
        return self._sentences(sentences)

    def hint(self, page: Page) -> str:
        """What there is to say to an arbiter about hints; empty where there is nothing."""
        hints = page.private and page.private.hints
        if not hints:
            return ""
        if hints.colour is not None:
            message = HINT_WHOLE if hints.piece else HINT_TOLD
            told = self._translate(message).format(
                colour=self._colour(page, hints.colour),
                piece=hints.piece,
                squares=self._squares(page, hints.squares),
            )
            return self.sentence(told)
        if hints.thinking and page.turn is not None:
            colour = self._colour(page, page.turn)
            return self.sentence(self._translate(HINT_ASKED).format(colour=colour))
        if not hints.trouble:
            return ""
        detail = self._known(WHY_NO_HINT, hints.trouble.removeprefix("no hint: "))
        return self.sentence(self._translate(NO_HINT).format(detail=detail))

    def hints_left(self, count: int) -> str:
        """How many hints somebody has left."""
        return self._translate(HINTS_LEFT).format(count=count)

    def point(self, code: str) -> str:
        """What a thing is called that is looked at of a set-up."""
        return self._known(POINTS, code)

    def level(self, level: RatingCode) -> str:
        """How well it is."""
        return self._translate(LEVELS[level])

    def remedy(self, page: Page, point: FindingEntry) -> str:
        """What to do about a fault of the set-up; empty where there is nothing to do."""
        known = FAULTS.get(point.fault)
        said = point.remedy if known is None else self._translate(known)
        if not said or not point.squares:
            return said
        squares = self._squares(page, point.squares)
        return self._translate(AT_SQUARES).format(sentence=said, squares=squares)

    def reason(self, page: Page, reason: ViolationEntry, piece: str) -> str:
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
        said = "" if result.how is EndReasonCode.ABANDONED else self._first(page, result)
        return self._translate(ENDED[result.how]).format(result=said)

    def _first(self, page: Page, result: Result) -> str:
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

    def move(self, page: Page, move: MoveEntry) -> str:
        """A move or a pass, as a clause."""
        colour = self._colour(page, move.colour)
        if not move.piece:
            return self._translate(PASSES).format(colour=colour)
        squares = self._squares(page, move.squares)
        laid = self._translate(LAID).format(colour=colour, piece=move.piece, squares=squares)
        return self._translate(OVERRULED).format(move=laid) if move.overruled else laid

    def announcement(self, page: Page) -> str:
        """What is worth saying aloud: the last move, and a state that asks for something.

        It stays the same while a hand comes and goes, so that a screen reader speaks once.
        """
        said = [self.move(page, page.moves[-1])] if page.moves else []
        if page.state.code in (
            RefereeState.HAND,
            RefereeState.SETTLING,
            RefereeState.ACCEPTED,
            RefereeState.WAITING,
        ):
            if page.turn is not None:
                colour = self._colour(page, page.turn)
                said.append(self._translate(STATES[RefereeState.WAITING]).format(colour=colour))
        else:
            said.append(self._state(page))
        return self._sentences(said)

    def score(self, score: int | None) -> str:
        """A score with a true minus sign; a dash for one that counts for nobody."""
        return "–" if score is None else str(score).replace("-", "−")

    def title(self, page: Page) -> str:
        """What the game is called."""
        return self._known(TITLES, page.title)

    def sentence(self, clause: str) -> str:
        """A clause with a capital at its beginning and a full stop at its end."""
        text = self.capital(clause)
        if text.endswith((".", "!", "?", "。")):
            return text
        return self._translate(FULL_STOP).format(clause=text)

    def capital(self, text: str) -> str:
        """The text as it begins a line of its own."""
        return text[:1].upper() + text[1:]

    def _state(self, page: Page) -> str:
        state = page.state
        match state.code:
            case RefereeState.REFUSED:
                return self._refused(page)
            case RefereeState.BOARD_LOST if state.detail:
                detail = self.detail(state.detail).rstrip(".")
                return self._translate(BOARD_LOST_WHY).format(detail=detail)
            case RefereeState.ACCEPTED if page.moves:
                move = self.move(page, page.moves[-1])
                return self._translate(ACCEPTED_MOVE).format(move=move)
            case RefereeState.DISTURBED if state.lies or state.belongs:
                return self._way_back(page)
            case RefereeState.DISTURBED | RefereeState.UNSURE:
                return self._where(page)
        colour = "" if state.colour is None else self._colour(page, state.colour)
        result = self.result(page)
        return self._translate(STATES[state.code]).format(colour=colour, result=result)

    def _where(self, page: Page) -> str:
        """What people are asked to do, with the squares that it is about where they are known."""
        state = page.state
        if state.asked:
            return self._translate(WHOSE_TURN)
        message = STATES_WITH_SQUARES[state.code] if state.squares else STATES[state.code]
        if state.code is RefereeState.UNSURE and state.squares and not page.candidates:
            message = UNCLEAR
        return self._translate(message).format(squares=self._squares(page, state.squares))

    def _way_back(self, page: Page) -> str:
        """Which piece goes where next, so that the board is as it was accepted."""
        state = page.state
        assert state.colour is not None, "the contract sees to it"
        piece = self._translate(PIECE_OF).format(colour=self._colour(page, state.colour))
        message = GOES_BACK if state.lies and state.belongs else MISSING
        return self._translate(message if state.belongs else IN_THE_WAY).format(
            piece=piece,
            lies=self._squares(page, state.lies),
            belongs=self._squares(page, state.belongs),
        )

    def _sentences(self, clauses: Iterable[str]) -> str:
        """Clauses as sentences, one after another."""
        told = [self.sentence(clause) for clause in clauses]
        then = self._translate(THEN)
        return reduce(lambda first, second: then.format(first=first, second=second), told)

    def _decisions(self, page: Page) -> Iterator[str]:
        """What is to be decided by people, or was."""
        for clock in page.clocks:
            if clock.timed_out:
                colours = self._all(self._colour(page, i) for i in clock.colours)
                yield self._translate(TIME_OUT).format(colours=colours)
        if page.resigned:
            colours = self._all(self._colour(page, i) for i in page.resigned)
            yield self._translate(RESIGNED).format(colours=colours)

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
        return self._translate(STATES[RefereeState.REFUSED]).format(reasons=reasons)

    def _known(self, table: Mapping[str, str], text: str) -> str:
        """What the table has for a text of the table's or of people's; otherwise as it is."""
        return self._translate(table[text]) if text in table else text

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
    return sorted(
        page.sides, key=lambda side: side.score, reverse=page.scoring is ScoringCode.ADVANCED
    )
