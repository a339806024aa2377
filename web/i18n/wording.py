"""Sentences from codes, in each viewer's language.

The texts are in `web.i18n.phrases`; a language is a set of `gettext` translations for `Wording`.
Pure: no Flask, no markup, no state. Text from people (names, reasons) is inserted unchanged; the
templates escape it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import reduce
from gettext import NullTranslations
from typing import Final

from web.contract import (
    AnswerCode,
    Colour,
    CommandName,
    EndReason,
    FindingEntry,
    HintAllowance,
    HintAmount,
    HintStep,
    Mark,
    MoveEntry,
    MoveReasonCode,
    Page,
    PlayerFailure,
    PuzzleEntry,
    Rating,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    Result,
    Scoring,
    Side,
    Square,
    ViolationEntry,
)
from web.i18n.phrases import (
    ACCEPTED_MOVE,
    ADDRESSED,
    AGAINST,
    ALL_LEVEL,
    AND,
    ANSWERS,
    AREA,
    AT_SQUARES,
    BEST,
    BOARD_FAILURES,
    BOARD_LOST_WHY,
    BONUS,
    BY,
    CAMERA_AWAY_WHY,
    CAMERA_FAULTS,
    CAMERAS,
    CLUB,
    COLOUR_OF,
    COLOURS,
    COMMA,
    COMPUTER_CHOSE,
    COMPUTER_NAMED,
    COMPUTER_PREPARES,
    COMPUTER_THINKS,
    COUNTS,
    COVERED,
    DATE,
    ENDED,
    ENDINGS,
    FAULTS,
    FOUND,
    FULL_STOP,
    GAVE_UP,
    GOES_BACK,
    HINT_ASKED,
    HINT_FAILURES,
    HINT_LIMIT,
    HINT_SEARCH,
    HINTS_LEFT,
    HINTS_OF_GAME,
    HINTS_OF_PUZZLE,
    HINTS_TO_ASK,
    HINTS_TO_ASK_IN_GAME,
    IMPOSSIBLE_SINCE,
    IN_THE_WAY,
    LABELS,
    LAID,
    LEAD,
    LEADS,
    LEFT_OF_PUZZLE,
    LEVEL,
    LEVELS,
    LIFT_FOR_COMPUTER,
    LIFT_OR_COUNT,
    LIGHT_REMEDIES,
    LIGHTS_SEEN,
    MISSING,
    MONTHS,
    MOUNTING,
    MOVE_REASONS,
    NEW_GAME_BY,
    NEXT_PERSON,
    NO_BUTTONS,
    NO_HINT,
    NO_LIGHTS,
    NO_REASON,
    NONE_FOUND,
    NOT_RECORDED,
    NOT_SAVED,
    NOT_SOLVED,
    NOT_WHOLE,
    ONE_WINS,
    OPTIONS,
    OTHER_BOARD,
    OUT,
    OVERLAY,
    OVERRULED,
    PASSES,
    PENDING,
    PIECE_OF,
    PLAY,
    PLAYER_LEVELS,
    POINTS,
    PRESETS,
    PROVEN,
    PUZZLES_WHY,
    REMATCH,
    REMATCH_CLEARED,
    RESIGNED,
    REVIEW,
    RULES,
    RULES_WHO,
    SEARCHING_WHY,
    SHARED_COUNTS,
    SHEETS,
    SLOW_FOR_LEVEL,
    SLOW_PLAYER,
    SOLVABILITY,
    SOMEBODY_ELSE,
    SPECTATORS,
    SQUARES_LAID,
    STATES,
    STATES_OF_PUZZLE,
    STATES_WITH_SQUARES,
    STEP_STATES,
    STEPS,
    TAKE_BACK,
    TASKS,
    TEAM_WINS,
    THEN,
    TIE,
    TIME_OUT,
    TITLES,
    TOO_HOT,
    TOUR,
    UNCLEAR,
    UNDERVOLTAGE,
    WAIT_FOR_NEXT,
    WHOSE_TURN,
    WHY,
    WORDS,
)

_IN_PASSING: Final = (
    RefereeState.HAND,
    RefereeState.SETTLING,
    RefereeState.ACCEPTED,
    RefereeState.WAITING,
)
"""States that come and go with every move."""

_CALLS: Final = (RefereeState.WAITING, RefereeState.NEW_GAME)
"""States that name whoever has to move."""

_TOO_MANY: Final = 8
"""Squares that a sentence lists; more are left out."""


class Wording:
    """The texts of one language.

    Args:
        translations: translations of the message ids; English where it has none.
    """

    __slots__ = ("_translations",)

    def __init__(self, translations: NullTranslations | None = None) -> None:
        self._translations: Final = translations or NullTranslations()

    def label(self, key: str) -> str:
        """Returns a fixed text of the page, by its key in `LABELS`."""
        return self._translate(LABELS[key])

    def play(self, key: str) -> str:
        """Returns a text for people who play at a simulated table, by its key in `PLAY`."""
        return self._translate(PLAY[key])

    def club(self, key: str, **values: object) -> str:
        """Returns a text for people at a table besides the game, by its key in `CLUB`."""
        return self._translate(CLUB[key]).format(**values)

    def camera(self, key: str, title: str) -> str:
        """Returns the name of a camera, by its key and the name of the product."""
        return self._translate(CAMERAS[key]) if key in CAMERAS else title

    def mounting(self, key: str) -> str:
        """Returns a text on the places of cameras, by its key in `MOUNTING`."""
        return self._translate(MOUNTING[key])

    def overlay(self, key: str, **values: object) -> str:
        """Returns a text of the overlay for streams, by its key in `OVERLAY`."""
        return self._translate(OVERLAY[key]).format(**values)

    def review(self, key: str, **values: object) -> str:
        """Returns a text of the review of a game, by its key in `REVIEW`."""
        return self._translate(REVIEW[key]).format(**values)

    def player_failure(self, failure: PlayerFailure) -> str:
        """Returns a clause on the reason for which the computer player gives no answers."""
        return self._translate(HINT_FAILURES[failure])

    def squares(self, page: Page, squares: tuple[Square, ...]) -> str:
        """Returns the names of squares."""
        return self._squares(page, squares)

    def spectators(self, key: str, **values: object) -> str:
        """Returns a text of a hall's pages for everybody, by its key in `SPECTATORS`."""
        return self._translate(SPECTATORS[key]).format(**values)

    def sheet(self, key: str, **values: object) -> str:
        """Returns a text of a printed sheet, by its key in `SHEETS`, with values put in if any."""
        text = self._translate(SHEETS[key])
        return text.format(**values) if values else text

    def who_plays(self, game: str, colours: Sequence[str]) -> str:
        """Returns a sentence on who plays which colours.

        Args:
            game: a key of `RULES_WHO`.
            colours: names of the colours in the contract, in the order of play.
        """
        names = [self.colour_named(name) for name in colours]
        parts = dict(zip(("first", "second", "third", "fourth"), names, strict=False))
        return self._translate(RULES_WHO[game]).format(colours=self._all(names), **parts)

    def scoring_rule(self, scoring: Scoring) -> str:
        """Returns a sentence on the way in which a scoring decides."""
        return self.sentence(self._translate(WHY[scoring]))

    def tour(self) -> dict[str, str]:
        """Returns the sentences of the guided tour, by their keys in `TOUR`."""
        return {key: self._translate(message) for key, message in TOUR.items()}

    def computer(self, person: int, people: int) -> str:
        """Returns the name of a person that the computer plays, with a number if it plays more."""
        name = self._translate(PLAY["computer-name"])
        return name if people == 2 else f"{name} {person}"

    def person(self, colour: Colour) -> str:
        """Returns the name of the person or computer that plays a colour; empty if unknown."""
        return colour.player or (self._translate(PLAY["computer-name"]) if colour.level else "")

    def player_level(self, level: int) -> str:
        """Returns the name of a level of the computer, from 1."""
        return self._translate(PLAYER_LEVELS[level - 1])

    def player_levels(self, page: Page) -> tuple[str, ...]:
        """Returns the names of the levels that the computer can play, the weakest first."""
        return tuple(map(self._translate, PLAYER_LEVELS[: page.machine.highest_level]))

    def slow_player(self, page: Page) -> str:
        """Returns a sentence if this computer is too slow for some levels; else nothing."""
        is_slow = page.machine.highest_level < len(PLAYER_LEVELS)
        return self.sentence(self._translate(SLOW_PLAYER)) if is_slow else ""

    def computer_named(self, level: int) -> str:
        """Returns the name of the computer at a level."""
        return self._translate(COMPUTER_NAMED).format(level=self.player_level(level))

    def option(self, key: str) -> str:
        """Returns the name of an option of a game, by its value in the contract."""
        return self._translate(OPTIONS[key])

    def preset(self, key: str) -> str:
        """Returns a sentence on a usual choice of options, by its key in `PRESETS`."""
        return self._translate(PRESETS[key])

    def ending(self, how: str, count: int) -> str:
        """Returns a sentence on what is lost when an arbiter ends a game.

        Args:
            how: the way, a key of `ENDINGS`.
            count: number of pieces laid.
        """
        return self._translate(ENDINGS[how]).format(count=count)

    def date(self, day: str) -> str:
        """Returns a date in words, from its form in ISO 8601; any other text unchanged."""
        try:
            found = date.fromisoformat(day)
        except ValueError:
            return day
        month = self._translate(MONTHS[found.month - 1])
        return self._translate(DATE).format(day=found.day, month=month, year=found.year)

    def found(self, count: int) -> str:
        """Returns a text with the number of games that a search has found."""
        return self._translate(FOUND).format(count=count)

    def none_found(self, query: str) -> str:
        """Returns a sentence for a search that has found no game."""
        return self._translate(NONE_FOUND).format(query=query)

    def word(self, word: CommandName) -> str:
        """Returns the label of the button for a command."""
        return self._translate(WORDS[word])

    def answer(self, code: str) -> str:
        """Returns the reply to a command, by its code; empty for an unknown code."""
        return self._known(ANSWERS, code) if code in ANSWERS else ""

    def wait_for_next(self, seconds: int) -> str:
        """Returns a sentence with the time until the lights can show another number."""
        return self._translate(WAIT_FOR_NEXT).format(seconds=seconds)

    def colour(self, colour: Colour) -> str:
        """Returns the name of a colour."""
        return self.colour_named(colour.name)

    def colour_named(self, name: str) -> str:
        """Returns the name of a colour, by its name in the contract."""
        return self._known(COLOURS, name)

    def state(self, page: Page) -> str:
        """Returns sentences on the referee's state and on all that people must know now."""
        sentences = self._turn_sentences(page)
        if any(piece.mark is Mark.PENDING for piece in page.pieces):
            sentences.append(self._translate(PENDING))
        if page.covered and page.state.code is not RefereeState.BOARD_LOST:
            squares = self._squares(page, page.covered)
            sentences.append(self._translate(COVERED).format(squares=squares))
        if not page.finished and page.puzzle is None:
            out = [self._colour(page, i) for i, c in enumerate(page.colours) if c.out]
            sentences += [self._translate(OUT).format(colour=colour) for colour in out]
        if not page.finished:
            sentences += self._decisions(page)
        troubles = {
            NOT_SAVED: page.saved,
            NOT_WHOLE: page.whole,
            NO_LIGHTS: page.lights,
            NO_BUTTONS: page.buttons,
            NOT_RECORDED: page.recording,
        }
        sentences += [self._translate(text) for text, works in troubles.items() if not works]
        return self._sentences(sentences)

    def _turn_sentences(self, page: Page) -> list[str]:
        """Returns clauses on the referee's state and on the computer's part in the turn."""
        clauses, computer = [self._state(page)], self._computer(page)
        if computer and page.state.code in _CALLS:
            clauses = [computer]
        elif computer and (page.state.code in _IN_PASSING or _is_unclear(page)):
            clauses.append(computer)
        return [*clauses, *self._gave_up(page)]

    def _lifts(self, page: Page) -> str:
        """Returns a sentence on each piece to lift, for its owner; then one on the question."""
        chosen = () if page.chosen is None else page.chosen.squares
        clauses = []
        for one in page.to_lift:
            own = page.colours[one.colour]
            player = "" if own.level else own.player
            colour = self._colour(page, one.colour)
            piece = one.piece or self._translate(PIECE_OF).format(colour=colour)
            if one.piece and not player:
                piece = self._translate(COLOUR_OF).format(player=piece, colour=colour)
            in_way = not set(chosen).isdisjoint(one.squares)
            message = LIFT_FOR_COMPUTER if in_way else STATES[RefereeState.TO_LIFT]
            squares = self._squares(page, one.squares)
            clause = self._translate(message).format(piece=piece, squares=squares)
            addressed = self._translate(ADDRESSED).format(player=player, clause=clause)
            clauses.append(addressed if player else clause)
        clauses += [self._translate(LIFT_OR_COUNT)] if page.candidates else []
        return self._sentences(clauses)

    def _gave_up(self, page: Page) -> list[str]:
        """Returns a clause if the computer gave a seat up, with the reason."""
        if page.gave_up is None or page.finished:
            return []
        detail = self._translate(HINT_FAILURES[page.gave_up])
        return [self._translate(GAVE_UP).format(detail=detail)]

    def machine(self, page: Page) -> tuple[str, ...]:
        """Returns a sentence for each trouble of the table's computer."""
        clauses = []
        if page.machine.hot:
            celsius = page.machine.celsius
            clauses.append(self._translate(TOO_HOT).format(celsius=celsius))
        if page.machine.undervoltage:
            clauses.append(self._translate(UNDERVOLTAGE))
        highest = page.machine.highest_level
        level = max((seat.level for seat in page.computer), default=0)
        if level > highest and not page.finished:
            names = {"level": self.player_level(level), "reached": self.player_level(highest)}
            clauses.append(self._translate(SLOW_FOR_LEVEL).format(**names))
        return tuple(self.sentence(clause) for clause in clauses)

    def hint(self, page: Page) -> str:
        """Returns a sentence on the current hint for an arbiter; empty if there is none."""
        hints = page.private and page.private.hints
        if not hints:
            return ""
        if page.puzzle is not None and (hints.step or hints.thinking):
            return self._hint_of_puzzle(page, hints)
        if hints.step is not None:
            return self._sentences(self._hint_of_game(page, hints, hints.step))
        if hints.thinking and page.turn is not None:
            colour = self._colour(page, page.turn)
            return self.sentence(self._translate(HINT_ASKED).format(colour=colour))
        if hints.failure is None:
            return ""
        detail = self._translate(HINT_FAILURES[hints.failure])
        return self.sentence(self._translate(NO_HINT).format(detail=detail))

    def _hint_of_game(self, page: Page, hints: HintAllowance, step: HintStep) -> Iterator[str]:
        """Yields clauses on a step of a hint; the last one has the reasons alone."""
        if step is HintStep.REASON:
            yield from self._reasons_of_hint(page, hints)
            return
        yield self._hint_step(page, hints, HINTS_OF_GAME[step])
        if step is HintStep.PIECE and hints.amount is HintAmount.AREA_AND_PIECE:
            yield self._translate(HINT_LIMIT)

    def _reasons_of_hint(self, page: Page, hints: HintAllowance) -> Iterator[str]:
        """Yields a clause on each reason for a move, and on the end if that is proved."""
        proofs = (MoveReasonCode.ONLY_WINNING, MoveReasonCode.PROVEN)
        if hints.proved is not None and not any(one.code in proofs for one in hints.reasons):
            yield self.move_reason(MoveReasonCode.PROVEN, hints.proved, "")
        elif not hints.reasons:
            yield self._translate(NO_REASON)
        for one in hints.reasons:
            yield self.move_reason(one.code, one.number, self._squares(page, one.squares))

    def _hint_step(self, page: Page, hints: HintAllowance, message: str) -> str:
        """Returns a clause on a step of a hint; of an area it names two corners."""
        squares = self._squares(page, hints.squares)
        if (page.puzzle is None and hints.step is HintStep.PIECE) or hints.step is HintStep.AREA:
            squares = self._area(page, hints.squares)
        return self._translate(message).format(
            colour="" if hints.colour is None else self._colour(page, hints.colour),
            piece=hints.piece,
            squares=squares,
        )

    def _area(self, page: Page, squares: tuple[Square, ...]) -> str:
        """Returns the first and the last square of the smallest rectangle around some squares."""
        rows, columns = zip(*squares, strict=True)
        first = page.square_name((max(rows), min(columns)))
        last = page.square_name((min(rows), max(columns)))
        return self._translate(AREA).format(first=first, last=last)

    def move_reason(self, code: MoveReasonCode, number: int, squares: str) -> str:
        """Returns a clause on a reason for a move.

        Args:
            code: kind of the reason.
            number: its number.
            squares: names of its squares.
        """
        if code is MoveReasonCode.PROVEN:
            message = PROVEN[(number > 0) - (number < 0) + 1]
            return self._translate(message).format(number=abs(number))
        return self._translate(MOVE_REASONS[code]).format(number=number, squares=squares)

    def no_reason(self) -> str:
        """Returns a sentence for a move for which no reason is given."""
        return self.sentence(self._translate(NO_REASON))

    def _hint_of_puzzle(self, page: Page, hints: HintAllowance) -> str:
        """Returns a sentence on a step of a hint; the first is the answer, told elsewhere."""
        if hints.thinking:
            return self.sentence(self._translate(HINT_SEARCH))
        if hints.step not in HINTS_OF_PUZZLE:
            return ""
        return self.sentence(self._hint_step(page, hints, HINTS_OF_PUZZLE[hints.step]))

    def hint_to_ask(self, page: Page) -> str:
        """Returns the label of the button for the next step of a hint."""
        hints = page.private and page.private.hints
        labels = HINTS_TO_ASK_IN_GAME if page.puzzle is None else HINTS_TO_ASK
        return self._translate(labels[hints.step if hints else None])

    def solvability(self, page: Page) -> str:
        """Returns a sentence on whether a puzzle can be solved; empty if nobody asked."""
        puzzle = page.puzzle
        if puzzle is None or puzzle.answer is AnswerCode.NOT_ASKED or page.finished:
            return ""
        clause = self._translate(SOLVABILITY[puzzle.answer])
        if puzzle.impossible_since and puzzle.culprit:
            squares = self._squares(page, puzzle.culprit)
            since = self._translate(IMPOSSIBLE_SINCE)
            clause = since.format(ply=puzzle.impossible_since, squares=squares)
        return self.sentence(clause)

    def left_of_puzzle(self, pieces: int, squares: int) -> str:
        """Returns a text with the numbers of pieces in hand and of their squares."""
        return self._translate(LEFT_OF_PUZZLE).format(pieces=pieces, squares=squares)

    def best_time(self, seconds: float) -> str:
        """Returns a text with the best time of a puzzle."""
        return self._translate(BEST).format(time=time_text(seconds))

    def puzzle_why(self, key: str) -> str:
        """Returns a sentence on the task of a puzzle, by its key in the contract."""
        return self._translate(PUZZLES_WHY[key])

    def hints_left(self, count: int) -> str:
        """Returns a text with the number of remaining hints."""
        return self._translate(HINTS_LEFT).format(count=count)

    def step(self, code: str) -> str:
        """Returns the name of a step of the set-up."""
        return self._translate(STEPS[code])

    def task(self, code: str) -> str:
        """Returns the sentence on what to do in a step of the set-up."""
        return self._translate(TASKS[code])

    def step_status(self, key: str) -> str:
        """Returns the sentence on the state of a step; it may have names of values in braces."""
        return self._translate(STEP_STATES[key])

    def light_seen(self, name: str) -> str:
        """Returns the sentence on what a person sees in a step of the test of the lights."""
        return self._translate(LIGHTS_SEEN[name])

    def light_remedy(self, code: str, value: str) -> str:
        """Returns the sentence on what to change after such a step; see `LightTestEntry`."""
        return self._translate(LIGHT_REMEDIES[code]).format(value=value)

    def point(self, code: str) -> str:
        """Returns the name of a check of the set-up."""
        return self._known(POINTS, code)

    def level(self, level: Rating) -> str:
        """Returns the name of a rating."""
        return self._translate(LEVELS[level])

    def remedy(self, page: Page, point: FindingEntry) -> str:
        """Returns the remedy of a fault of the set-up; empty if there is no fault."""
        known = FAULTS.get(point.fault)
        remedy = point.remedy if known is None else self._translate(known)
        if not remedy or not point.squares:
            return remedy
        squares = self._squares(page, point.squares)
        return self._translate(AT_SQUARES).format(sentence=remedy, squares=squares)

    def refusal(self, page: Page, piece: RefusedPiece) -> tuple[str, ...]:
        """Returns a sentence on each rule that a refused piece breaks; the first has the name."""
        clauses = [self._broken(page, piece, reason) for reason in piece.reasons]
        own = page.colours[piece.colour]
        if (player := own.player) and not own.level:
            clauses[0] = self._translate(ADDRESSED).format(player=player, clause=clauses[0])
        return tuple(map(self.sentence, clauses))

    def _broken(self, page: Page, piece: RefusedPiece, reason: ViolationEntry) -> str:
        other = page.turn if page.turn != piece.colour else None
        turn = self._translate(SOMEBODY_ELSE) if other is None else self._people(page, (other,))[0]
        return self._translate(RULES[reason.rule]).format(
            colour=self._colour(page, piece.colour),
            squares=self._squares(page, reason.squares),
            against=self._squares(page, reason.against),
            turn=turn,
        )

    def result(self, page: Page) -> str:
        """Returns a clause on the result: who won, by how much; empty while the game lasts."""
        result = page.result
        if result is None:
            return ""
        if page.puzzle is not None:
            return self._puzzle_ended(page, page.puzzle, result)
        clause, lost = "", ""
        if result.how is EndReason.SCORE:
            clause = self._decided(page, result)
        elif result.how is not EndReason.ABANDONED:
            clause = self._tie(page, result) if result.tied else self._wins(page, result.winner)
            lost = self._all(self._people(page, _losers(page, result)))
        return self._translate(ENDED[result.how]).format(result=clause, others=lost)

    def _puzzle_ended(self, page: Page, puzzle: PuzzleEntry, result: Result) -> str:
        if result.how is EndReason.SOLVED:
            time = time_text(puzzle.taken_ms / 1000)
            return self._translate(ENDED[result.how]).format(time=time)
        pieces = [piece for colour in page.colours for piece in colour.left]
        left = self.left_of_puzzle(len(pieces), sum(len(piece.squares) for piece in pieces))
        return self._translate(NOT_SOLVED).format(left=left)

    def _decided(self, page: Page, result: Result) -> str:
        """Returns a clause on a game that the score decided."""
        if result.tied:
            return self._tie(page, result)
        wins, first = self._wins(page, result.winner), set(result.winner)
        best = [side for side in page.sides if first.issuperset(side.colours)]
        others = [side for side in standing(page) if not first.issuperset(side.colours)]
        if not best or not others:
            return wins
        score = self._translate(AGAINST).format(
            score=self.score(best[0].score), others=self._all(self.score(o.score) for o in others)
        )
        margin = abs(best[0].score - others[0].score)
        return self._translate(BY).format(
            wins=wins, margin=margin, count=self._counted(page, score)
        )

    def _wins(self, page: Page, colours: Iterable[int]) -> str:
        people = self._people(page, colours)
        message = ONE_WINS if len(people) == 1 else TEAM_WINS
        return self._translate(message).format(names=self._all(people))

    def _tie(self, page: Page, result: Result) -> str:
        names = self._all(self._people(page, result.tied))
        score = next((s.score for s in page.sides if {*s.colours} <= {*result.tied}), None)
        count = self._counted(page, self.score(score))
        return self._translate(TIE).format(names=names, count=count)

    def _counted(self, page: Page, score: str) -> str:
        return self._translate(COUNTS[page.scoring]).format(score=score)

    def lead(self, page: Page) -> str:
        """Returns a sentence on who leads by how much; empty before the game and after it."""
        ranked = standing(page)
        if page.finished or not page.ply or len(ranked) < 2:
            return ""
        best = [side for side in ranked if side.score == ranked[0].score]
        people = self._people(page, (i for side in best for i in side.colours))
        margin = abs(ranked[0].score - ranked[1].score)
        if len(best) > 1:
            message = ALL_LEVEL if len(best) == len(ranked) else LEVEL
        else:
            message = LEADS if len(people) == 1 else LEAD
        return self.capital(self._translate(message).format(names=self._all(people), margin=margin))

    def squares_laid(self, laid: int, left: int) -> str:
        """Returns a text with the numbers of squares on the board and in hand."""
        return self._translate(SQUARES_LAID).format(laid=laid, left=left)

    def reasons_of_score(self, page: Page, bonuses: Mapping[tuple[int, ...], int]) -> list[str]:
        """Returns sentences on the way in which the score decides.

        Args:
            page: a page.
            bonuses: points of sides, by their colours, that no squares explain.
        """
        clauses = [self._translate(WHY[page.scoring])]
        for colours, bonus in bonuses.items():
            names = self._all(self._people(page, colours))
            clauses.append(self._translate(BONUS).format(names=names, bonus=f"+{bonus}"))
        in_sides = {i for side in page.sides for i in side.colours}
        for i, colour in enumerate(page.colours):
            if i not in in_sides:
                shared = self._translate(SHARED_COUNTS).format(colour=self.colour(colour))
                clauses.append(shared)
        return [self.sentence(clause) for clause in clauses]

    def rematch(self, page: Page) -> str:
        """Returns a sentence on the game that follows a finished one; empty before the end."""
        offered = CommandName.REMATCH in page.possible
        if page.puzzle is not None:
            return ""
        if not page.finished or len(page.colours) < 2 or not (page.ply or offered):
            return ""
        player = page.colours[1].player  # the next person, in every game
        if not player and len(page.colours) == 2:
            player = self._colour(page, 1)
        # A table that offers the rematch clears the board itself.
        message = REMATCH if offered else REMATCH_CLEARED
        clause = self._translate(message).format(player=player or self._translate(NEXT_PERSON))
        return self.sentence(clause)

    def move(self, page: Page, move: MoveEntry) -> str:
        """Returns a clause on a move or a pass."""
        colour = self.player(page, move.colour)
        if not move.piece:
            return self._translate(PASSES).format(colour=colour)
        squares = self._squares(page, move.squares)
        clause = self._translate(LAID).format(colour=colour, piece=move.piece, squares=squares)
        return self._translate(OVERRULED).format(move=clause) if move.overruled else clause

    def player(self, page: Page, index: int) -> str:
        """Returns a colour with the name of the person who plays it, if it is known."""
        colour, player = self._colour(page, index), page.colours[index].player
        if not player:
            return colour
        return self._translate(COLOUR_OF).format(player=player, colour=colour)

    def listed(self, words: Iterable[str]) -> str:
        """Returns words with commas between them."""
        return self._translate(COMMA).join(words)

    def announcement(self, page: Page) -> str:
        """Returns the text for screen readers: the last move, and a state that needs an action.

        While a piece has to be lifted, or a refused one lies on the board, it is that alone.

        It does not change with a hand over the board, so that a screen reader speaks once.
        """
        if page.to_lift and page.state.code in (*_IN_PASSING, RefereeState.TO_LIFT):
            return self._lifts(page)
        clauses = [self.move(page, page.moves[-1])] if page.moves else []
        if page.refused and page.state.code in (*_IN_PASSING, RefereeState.REFUSED):
            refusals = (text for piece in page.refused for text in self.refusal(page, piece))
            return self._sentences((*refusals, self._translate(TAKE_BACK)))
        if page.state.code in _IN_PASSING:
            if computer := self._computer(page):
                clauses.append(computer)
            elif page.turn is not None:
                colour = self._colour(page, page.turn)
                waiting = self._translate(STATES[RefereeState.WAITING])
                clauses.append(waiting.format(colour=colour))
            clauses += self._gave_up(page)
            clauses += filter(None, (self.solvability(page),))
            clauses = clauses or [self._state(page)]
        else:
            clauses += self._turn_sentences(page)
        return self._sentences(clauses)

    def score(self, score: int | None) -> str:
        """Returns a score with a true minus sign; a dash for None."""
        return "–" if score is None else str(score).replace("-", "−")

    def title(self, page: Page) -> str:
        """Returns the name of the game."""
        return self.title_named(page.title)

    def title_named(self, title: str) -> str:
        """Returns the name of a game, by its title in the contract."""
        return self._known(TITLES, title)

    def sentence(self, clause: str) -> str:
        """Returns a clause with an initial capital and a full stop."""
        text = self.capital(clause)
        if text.endswith((".", "!", "?", "。")):
            return text
        return self._translate(FULL_STOP).format(clause=text)

    def capital(self, text: str) -> str:
        """Returns a text with an initial capital."""
        return text[:1].upper() + text[1:]

    def _state(self, page: Page) -> str:
        state = page.state
        match state.code:
            case RefereeState.BOARD_LOST | RefereeState.SEARCHING | RefereeState.CAMERA_AWAY:
                return self._unseen(state)
            case RefereeState.ACCEPTED if page.moves:
                move = self.move(page, page.moves[-1])
                return self._translate(ACCEPTED_MOVE).format(move=move)
            case RefereeState.TO_LIFT:
                return self._lifts(page)
            case RefereeState.DISTURBED if state.current_squares or state.target_squares:
                return self._way_back(page)
            case RefereeState.DISTURBED | RefereeState.UNSURE:
                return self._where(page)
        message, player = STATES[state.code], ""
        if page.puzzle is not None:
            message = STATES_OF_PUZZLE.get(state.code, message)
        colour = "" if state.colour is None else self._colour(page, state.colour)
        if state.code is RefereeState.ANEW_ASKED and state.size not in (0, page.size):
            message = OTHER_BOARD
        elif state.code is RefereeState.NEW_GAME and state.colour is not None:
            player = page.colours[state.colour].player
            message = NEW_GAME_BY if player else message
        return self._translate(message).format(
            colour=colour, player=player, result=self.result(page), size=state.size, own=page.size
        )

    def _computer(self, page: Page) -> str:
        """Returns a clause on the computer's turn: it gets ready, it thinks, or it has chosen."""
        chosen = page.chosen
        if chosen is not None:
            return self._translate(COMPUTER_CHOSE).format(
                level=self._level_of(page, chosen.colour),
                colour=self._colour(page, chosen.colour),
                piece=chosen.piece,
                squares=self._squares(page, chosen.squares),
            )
        if not page.computer_thinks or page.turn is None:
            return ""
        level, colour = self._level_of(page, page.turn), self._colour(page, page.turn)
        message = COMPUTER_PREPARES if page.computer_prepares else COMPUTER_THINKS
        return self._translate(message).format(level=level, colour=colour)

    def _level_of(self, page: Page, colour: int) -> str:
        level = page.colours[colour].level
        return self.player_level(level) if level else ""

    def _unseen(self, state: RefereeStatus) -> str:
        """Returns a clause on the reason that the board is not seen, if it is known."""
        if state.failure is not None:
            detail = self._translate(BOARD_FAILURES[state.failure])
            why = SEARCHING_WHY if state.code is RefereeState.SEARCHING else BOARD_LOST_WHY
            return self._translate(why).format(detail=detail)
        if state.fault is not None:
            detail = self._translate(CAMERA_FAULTS[state.fault])
            return self._translate(CAMERA_AWAY_WHY).format(detail=detail)
        return self._translate(STATES[state.code])

    def _where(self, page: Page) -> str:
        """Returns a clause on what people have to do, with the squares if they are known."""
        state = page.state
        if state.asked:
            return self._translate(WHOSE_TURN)
        message = STATES_WITH_SQUARES[state.code] if state.squares else STATES[state.code]
        if state.code is RefereeState.UNSURE and state.squares and not page.candidates:
            message = UNCLEAR
        return self._translate(message).format(squares=self._squares(page, state.squares))

    def _way_back(self, page: Page) -> str:
        """Returns a clause on the piece to put back next, to restore the accepted position."""
        state = page.state
        assert state.colour is not None, "the contract sees to it"
        piece = self._translate(PIECE_OF).format(colour=self._colour(page, state.colour))
        message = GOES_BACK if state.current_squares and state.target_squares else MISSING
        return self._translate(message if state.target_squares else IN_THE_WAY).format(
            piece=piece,
            current=self._squares(page, state.current_squares),
            target=self._squares(page, state.target_squares),
        )

    def _sentences(self, clauses: Iterable[str]) -> str:
        """Joins clauses as sentences."""
        sentences = [self.sentence(clause) for clause in clauses]
        then = self._translate(THEN)
        return reduce(lambda first, second: then.format(first=first, second=second), sentences)

    def _decisions(self, page: Page) -> Iterator[str]:
        """Yields clauses on time-outs, which the arbiter judges, and on resignations."""
        for clock in page.clocks:
            if clock.timed_out:
                colours = self._all(self._colour(page, i) for i in clock.colours)
                yield self._translate(TIME_OUT).format(colours=colours)
        if page.resigned:
            colours = self._all(self._colour(page, i) for i in page.resigned)
            yield self._translate(RESIGNED).format(colours=colours)

    def _known(self, table: Mapping[str, str], text: str) -> str:
        """Returns the translation of a text in the table; any other text unchanged."""
        return self._translate(table[text]) if text in table else text

    def _translate(self, message: str) -> str:
        return self._translations.gettext(message)

    def _colour(self, page: Page, index: int) -> str:
        return self.colour(page.colours[index])

    def _people(self, page: Page, colours: Iterable[int]) -> list[str]:
        """Returns the names of those who play the colours; colour names where unknown."""
        names = (page.colours[i].player or self._colour(page, i) for i in colours)
        return list(dict.fromkeys(names))

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


def time_text(seconds: float) -> str:
    """Returns a time in whole seconds as `m:ss`, or `h:mm:ss` from one hour."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def standing(page: Page) -> list[Side]:
    """Returns the sides that can win, the best first: all but those that resigned.

    If all have resigned, it returns all.
    """
    sides = [s for s in page.sides if not {*s.colours} <= {*page.resigned}] or [*page.sides]
    return sorted(sides, key=lambda side: side.score, reverse=page.scoring is Scoring.ADVANCED)


def _is_unclear(page: Page) -> bool:
    """True if the game goes on beside squares that nothing explains."""
    is_unsure = page.state.code is RefereeState.UNSURE and not page.state.asked
    return is_unsure and not page.candidates


def _losers(page: Page, result: Result) -> tuple[int, ...]:
    """Returns colours of those who gave up, or whose time ran out; if unknown, of all others."""
    if result.how is EndReason.RESIGNED:
        lost = page.resigned
    else:
        lost = tuple(i for clock in page.clocks if clock.timed_out for i in clock.colours)
    best = {*result.winner, *result.tied}
    others = tuple(i for side in page.sides for i in side.colours if i not in best)
    return tuple(i for i in lost if i not in best) or others
