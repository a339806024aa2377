"""Sentences from codes, in each viewer's language.

The texts are in `web/translations`, a file a language; see `web.i18n.texts`. Pure: no Flask, no
markup, no state. Text from people (names, reasons) is inserted unchanged; the
templates escape it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import reduce
from math import ceil
from typing import Final

from firmware.game.levels import MOST_LEVEL
from web.contract import (
    AnswerCode,
    CandidateEntry,
    Colour,
    CommandName,
    EndReason,
    FindingEntry,
    GameResult,
    HintAllowance,
    HintAmount,
    HintStep,
    Mark,
    MoveEntry,
    MoveReasonCode,
    MoveReasonEntry,
    Page,
    PlayerStart,
    PuzzleEntry,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    Rule,
    Scoring,
    Side,
    Square,
    ViolationEntry,
)
from web.i18n.texts import section_of, texts_of

_IN_PASSING: Final = (
    RefereeState.HAND,
    RefereeState.SETTLING,
    RefereeState.ACCEPTED,
    RefereeState.WAITING,
)
"""States that come and go with every move."""

_CALLS: Final = (RefereeState.WAITING, RefereeState.NEW_GAME)
"""States that name whoever has to move."""

_WHOLE: Final = (Rule.PIECE_USED, Rule.NOT_CHOSEN)
"""Rules that point to another piece."""

_SQUARE: Final = re.compile(r"[a-t]\d{1,2}(?!\w)")
"""Name of a square."""

_TOO_MANY: Final = 8
"""Squares that a sentence lists; more are left out."""


def in_section(section: str) -> Callable[..., str]:
    """Returns a method that says a text of a section, by its key there and values to put in."""

    def said(self: "Wording", key: str, **values: object) -> str:
        return self.say(f"{section}.{key}", **values)

    return said


class Wording:
    """The texts of one language.

    Args:
        language: code of the language, see `web.i18n.texts`.
    """

    __slots__ = ("_texts", "language")

    def __init__(self, language: str = "en") -> None:
        self.language: Final = language
        self._texts: Final = texts_of(language)

    def say(self, key: str, **values: object) -> str:
        """Returns a text by its key, `NAME` or `SECTION.NAME`, with values put in if any."""
        text = self._texts[key]
        return text.format(**values) if values else text

    def known(self, section: str, key: str, other: str) -> str:
        """Returns a text of a section by its key there; `other` if there is none."""
        return self._texts.get(f"{section}.{key}", other)

    label = in_section("labels")
    play = in_section("play")
    club = in_section("club")
    overlay = in_section("overlay")
    review = in_section("review")
    spectators = in_section("spectators")
    sheet = in_section("sheets")
    option = in_section("options")
    word = in_section("words")
    mounting = in_section("mounting")
    camera = in_section("camera")

    def squares(self, page: Page, squares: tuple[Square, ...]) -> str:
        """Returns the names of squares, the first ones of many."""
        names = [page.square_name(square) for square in squares[:_TOO_MANY]]
        if len(squares) > _TOO_MANY:
            names.append("…")
        return self.say("comma").join(names)

    def place(self, page: Page, squares: tuple[Square, ...]) -> str:
        """Returns where a piece lies, by its squares."""
        return self.squares(page, squares)

    def piece(self, colour: Colour, name: str, squares: tuple[Square, ...]) -> str:  # noqa: ARG002
        """Returns a piece by its name.

        Args:
            colour: its colour.
            name: its name.
            squares: its squares, for a drawing; none if it lies nowhere.
        """
        return name

    def who_plays(self, game: str, colours: Sequence[str]) -> str:
        """Returns a sentence on who plays which colours.

        Args:
            game: a key of the section `rules-who`.
            colours: names of the colours in the contract, in the order of play.
        """
        names = [self.colour_named(name) for name in colours]
        parts = dict(zip(("first", "second", "third", "fourth"), names, strict=False))
        return self.say(f"rules-who.{game}", colours=self._all(names), **parts)

    def scoring_rule(self, scoring: Scoring) -> str:
        """Returns a sentence on the way in which a scoring decides."""
        return self.sentence(self.say(f"why.{scoring}"))

    def tour(self) -> dict[str, str]:
        """Returns the sentences of the guided tour, by their keys."""
        return section_of("tour", self.language)

    def computer(self, person: int, people: int) -> str:
        """Returns the name of a person that the computer plays, with a number if it plays more."""
        name = self.say("play.computer-name")
        return name if people == 2 else f"{name} {person}"

    def person(self, colour: Colour) -> str:
        """Returns the name of the person or computer that plays a colour; empty if unknown."""
        return colour.player or (self.say("play.computer-name") if colour.level else "")

    def player_level(self, level: int) -> str:
        """Returns the name of a level of the computer, from 1."""
        return self.say(f"player-levels.{level}")

    def player_levels(self, page: Page) -> tuple[str, ...]:
        """Returns the names of the levels that the computer can play, the weakest first."""
        return tuple(self.player_level(one + 1) for one in range(page.machine.highest_level))

    def slow_player(self, page: Page) -> str:
        """Returns a sentence if this computer is too slow for some levels; else nothing."""
        is_slow = page.machine.highest_level < MOST_LEVEL
        return self.sentence(self.say("slow-player")) if is_slow else ""

    def date(self, day: str) -> str:
        """Returns a date in words, from its form in ISO 8601-2; any other text unchanged.

        A `?` follows a day by a clock that nobody had checked.
        """
        try:
            found = date.fromisoformat(day.removesuffix("?"))
        except ValueError:
            return day
        month = self.say(f"months.{found.month}")
        key = "date-unchecked" if day.endswith("?") else "date"
        return self.say(key, day=found.day, month=month, year=found.year)

    def answer(self, code: str, detail: str = "") -> str:
        """Returns the reply to a command, by its code; empty for an unknown code."""
        return self.known("answers", code, "").format(detail=detail)

    def colour(self, colour: Colour) -> str:
        """Returns the name of a colour."""
        return self.colour_named(colour.name)

    def colour_named(self, name: str) -> str:
        """Returns the name of a colour, by its name in the contract."""
        return self.known("colours", name, name)

    def state(self, page: Page) -> str:
        """Returns sentences on the referee's state and on all that people must know now."""
        sentences = self._turn_sentences(page)
        if any(piece.mark is Mark.PENDING for piece in page.pieces):
            sentences.append(self.say("pending"))
        if page.covered and page.state.code is not RefereeState.BOARD_LOST:
            squares = self.squares(page, page.covered)
            sentences.append(self.say("covered", squares=squares))
        if not page.finished and page.puzzle is None:
            out = [self._colour(page, i) for i, c in enumerate(page.colours) if c.out]
            sentences += [self.say("out", colour=colour) for colour in out]
        if not page.finished:
            sentences += self._decisions(page)
        troubles = {
            "not-saved": page.saved,
            "not-whole": page.whole,
            "no-lights": page.lights,
            "no-buttons": page.buttons,
            "not-recorded": page.recording,
        }
        sentences += [self.say(key) for key, works in troubles.items() if not works]
        return self._sentences(sentences)

    def _turn_sentences(self, page: Page) -> list[str]:
        """Returns clauses on the referee's state and on the computer's part in the turn."""
        clauses, computer = [self._state(page)], self._computer(page)
        if computer and page.state.code in _CALLS:
            clauses = [computer]
        elif computer and (page.state.code in _IN_PASSING or _is_unclear(page)):
            clauses.append(computer)
        clauses += [self.kept(page)] if page.state.code is RefereeState.SWITCHING_OFF else []
        return [*clauses, *self._gave_up(page)]

    def kept(self, page: Page) -> str:
        """Returns a clause on what is left of the game after the machine was off."""
        return self.say("kept" if page.saved else "lost")

    def _lifts(self, page: Page) -> str:
        """Returns a sentence on each piece to lift, for its owner; then one on the question."""
        chosen = () if page.chosen is None else page.chosen.squares
        clauses = []
        for one in page.to_lift:
            own = page.colours[one.colour]
            player = "" if own.level else own.player
            colour = self._colour(page, one.colour)
            drawn = one.piece and self.piece(own, one.piece, one.squares)
            piece = drawn or self.say("piece-of", colour=colour)
            if one.piece and not player:
                piece = self.say("colour-of", player=piece, colour=colour)
            in_way = not set(chosen).isdisjoint(one.squares)
            message = "lift-for-computer" if in_way else "states.to-lift"
            squares = self.place(page, one.squares)
            clause = self.say(message, piece=piece, squares=squares)
            addressed = self.say("addressed", player=player, clause=clause)
            clauses.append(addressed if player else clause)
        clauses += [self.say("lift-or-count")] if page.candidates else []
        return self._sentences(clauses)

    def _gave_up(self, page: Page) -> list[str]:
        """Returns a clause if the computer gave a seat up, with the reason."""
        if page.gave_up is None or page.finished:
            return []
        detail = self.say(f"hint-failures.{page.gave_up}")
        return [self.say("gave-up", detail=detail)]

    def machine(self, page: Page) -> tuple[str, ...]:
        """Returns a sentence for each trouble of the table's computer."""
        clauses = []
        if page.machine.hot:
            celsius = page.machine.celsius
            clauses.append(self.say("too-hot", celsius=celsius))
        troubles = {"undervoltage": page.machine.undervoltage, "stays-on": page.machine.stays_on}
        clauses += [self.say(key) for key, is_there in troubles.items() if is_there]
        highest = page.machine.highest_level
        level = max((seat.level for seat in page.computer), default=0)
        if level > highest and not page.finished:
            names = {"level": self.player_level(level), "reached": self.player_level(highest)}
            clauses.append(self.say("slow-for-level", **names))
        start = page.machine.player_start
        if start is not None and level and not page.finished:
            clauses.append(self.player_start(start))
        return tuple(self.sentence(clause) for clause in clauses)

    def player_start(self, start: PlayerStart) -> str:
        """Returns a sentence on the start of the player, with the seconds left if known."""
        percent, left_s = start
        key = "player-starts" if percent == 100 else "player-compiles"
        clause = self.say(key, percent=percent)
        if left_s is not None:
            clause = self.say("ready-in", clause=clause, seconds=left_s)
        return self.sentence(clause)

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
            return self.sentence(self.say("hint-asked", colour=colour))
        if hints.failure is None:
            return ""
        detail = self.say(f"hint-failures.{hints.failure}")
        return self.sentence(self.say("no-hint", detail=detail))

    def places(
        self, page: Page, piece: str, covers: tuple[Square, ...], corners: tuple[Square, ...]
    ) -> str:
        """Returns a sentence on the places of a piece of the colour to move, with every square."""
        if not piece or page.turn is None:
            return ""
        comma = self.say("comma")
        starts, squares = (comma.join(map(page.square_name, some)) for some in (corners, covers))
        drawn = self.piece(page.colours[page.turn], piece, ())
        clause = self.say("places", piece=drawn, corners=starts, squares=squares)
        return self.sentence(clause)

    def _hint_of_game(self, page: Page, hints: HintAllowance, step: HintStep) -> Iterator[str]:
        """Yields clauses on a step of a hint; the last one has the reasons alone."""
        if step is HintStep.REASON:
            yield from self._reasons_of_hint(page, hints)
            return
        yield self._hint_step(page, hints, f"hints-of-game.{step}")
        if step is HintStep.PIECE and hints.amount is HintAmount.AREA_AND_PIECE:
            yield self.say("hint-limit")

    def _reasons_of_hint(self, page: Page, hints: HintAllowance) -> Iterator[str]:
        """Yields a clause on each reason for a move, and on the end if that is proved."""
        proofs = (MoveReasonCode.ONLY_WINNING, MoveReasonCode.PROVEN)
        if hints.proved is not None and not any(one.code in proofs for one in hints.reasons):
            yield self.move_reason(MoveReasonCode.PROVEN, hints.proved, "")
        elif not hints.reasons:
            yield self.say("no-reason")
        for one in hints.reasons:
            yield self.move_reason(one.code, one.number, self.reason_squares(page, one))

    def reason_squares(self, page: Page, one: MoveReasonEntry) -> str:
        """Returns the squares of a reason, which are a placement or any squares."""
        is_piece = one.code is MoveReasonCode.TAKES_THE_WISH
        return (self.place if is_piece else self.squares)(page, one.squares)

    def _hint_step(self, page: Page, hints: HintAllowance, message: str) -> str:
        """Returns a clause on a step of a hint; of an area it names two corners."""
        is_whole = hints.step is HintStep.WHOLE
        squares = (self.place if is_whole else self.squares)(page, hints.squares)
        if (page.puzzle is None and hints.step is HintStep.PIECE) or hints.step is HintStep.AREA:
            squares = self._area(page, hints.squares)
        colour, piece = "", hints.piece
        if hints.colour is not None:
            colour, own = self._colour(page, hints.colour), page.colours[hints.colour]
            piece = piece and self.piece(own, piece, hints.squares if is_whole else ())
        return self.say(message, colour=colour, piece=piece, squares=squares)

    def _area(self, page: Page, squares: tuple[Square, ...]) -> str:
        """Returns the first and the last square of the smallest rectangle around some squares."""
        rows, columns = zip(*squares, strict=True)
        first = page.square_name((max(rows), min(columns)))
        last = page.square_name((min(rows), max(columns)))
        return self.say("area", first=first, last=last)

    def move_reason(self, code: MoveReasonCode, number: int, squares: str) -> str:
        """Returns a clause on a reason for a move.

        Args:
            code: kind of the reason.
            number: its number.
            squares: names of its squares.
        """
        if code is MoveReasonCode.PROVEN:
            end = "win" if number > 0 else "loss" if number else "tie"
            return self.say(f"proven.{end}", number=abs(number))
        return self.say(f"move-reasons.{code}", number=number, squares=squares)

    def _hint_of_puzzle(self, page: Page, hints: HintAllowance) -> str:
        """Returns a sentence on a step of a hint; the first is the answer, told elsewhere."""
        if hints.thinking:
            return self.sentence(self.say("hint-search"))
        key = f"hints-of-puzzle.{hints.step}"
        if key not in self._texts:
            return ""
        return self.sentence(self._hint_step(page, hints, key))

    def hint_to_ask(self, page: Page) -> str:
        """Returns the label of the button for the next step of a hint."""
        hints = page.private and page.private.hints
        labels = "hints-to-ask-in-game" if page.puzzle is None else "hints-to-ask"
        return self.say(f"{labels}.{hints.step if hints and hints.step else 'none'}")

    def solvability(self, page: Page) -> str:
        """Returns a sentence on whether a puzzle can be solved; empty if nobody asked."""
        puzzle = page.puzzle
        if puzzle is None or puzzle.answer is AnswerCode.NOT_ASKED or page.finished:
            return ""
        clause = self.say(f"solvability.{puzzle.answer}")
        if puzzle.impossible_since and puzzle.culprit:
            squares = self.place(page, puzzle.culprit)
            since = self.say("impossible-since")
            clause = since.format(ply=puzzle.impossible_since, squares=squares)
        return self.sentence(clause)

    def point(self, code: str) -> str:
        """Returns the name of a check of the set-up."""
        return self.known("points", code, code)

    def remedy(self, page: Page, point: FindingEntry) -> str:
        """Returns the remedy of a fault of the set-up; empty if there is no fault."""
        remedy = self.known("faults", point.fault, point.remedy)
        if not remedy or not point.squares:
            return remedy
        squares = self.squares(page, point.squares)
        return self.say("at-squares", sentence=remedy, squares=squares)

    def refusal(self, page: Page, piece: RefusedPiece) -> tuple[str, ...]:
        """Returns a sentence on each rule that a refused piece breaks; the first has the name."""
        clauses = [self._broken(page, piece, reason) for reason in piece.reasons]
        own = page.colours[piece.colour]
        if (player := own.player) and not own.level:
            clauses[0] = self.say("addressed", player=player, clause=clauses[0])
        return tuple(map(self.sentence, clauses))

    def _broken(self, page: Page, piece: RefusedPiece, reason: ViolationEntry) -> str:
        other = page.turn if page.turn != piece.colour else None
        turn = self.say("somebody-else") if other is None else self._people(page, (other,))[0]
        return self.say(
            f"rules.{reason.rule}",
            colour=self._colour(page, piece.colour),
            squares=self.squares(page, reason.squares),
            against=(self.place if reason.rule in _WHOLE else self.squares)(page, reason.against),
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
        return self.say(f"ended.{result.how}", result=clause, others=lost)

    def _puzzle_ended(self, page: Page, puzzle: PuzzleEntry, result: GameResult) -> str:
        if result.how is EndReason.SOLVED:
            time = time_text(puzzle.taken_ms / 1000)
            return self.say(f"ended.{result.how}", time=time)
        pieces = [piece for colour in page.colours for piece in colour.left]
        squares = sum(len(piece.squares) for piece in pieces)
        left = self.say("left-of-puzzle", pieces=len(pieces), squares=squares)
        return self.say("not-solved", left=left)

    def _decided(self, page: Page, result: GameResult) -> str:
        """Returns a clause on a game that the score decided."""
        if result.tied:
            return self._tie(page, result)
        wins, first = self._wins(page, result.winner), set(result.winner)
        best = [side for side in page.sides if first.issuperset(side.colours)]
        others = [side for side in standing(page) if not first.issuperset(side.colours)]
        if not best or not others:
            return wins
        score = self.say(
            "against",
            score=self.score(best[0].score),
            others=self._all(self.score(o.score) for o in others),
        )
        margin = abs(best[0].score - others[0].score)
        return self.say("by", wins=wins, margin=margin, count=self._counted(page, score))

    def _wins(self, page: Page, colours: Iterable[int]) -> str:
        people = self._people(page, colours)
        message = "one-wins" if len(people) == 1 else "team-wins"
        return self.say(message, names=self._all(people))

    def _tie(self, page: Page, result: GameResult) -> str:
        names = self._all(self._people(page, result.tied))
        score = next((s.score for s in page.sides if {*s.colours} <= {*result.tied}), None)
        count = self._counted(page, self.score(score))
        return self.say("tie", names=names, count=count)

    def _counted(self, page: Page, score: str) -> str:
        return self.say(f"counts.{page.scoring}", score=score)

    def lead(self, page: Page) -> str:
        """Returns a sentence on who leads by how much; empty before the game and after it."""
        ranked = standing(page)
        if page.finished or not page.ply or len(ranked) < 2:
            return ""
        best = [side for side in ranked if side.score == ranked[0].score]
        people = self._people(page, (i for side in best for i in side.colours))
        margin = abs(ranked[0].score - ranked[1].score)
        if len(best) > 1:
            message = "all-level" if len(best) == len(ranked) else "level"
        else:
            message = "leads" if len(people) == 1 else "lead"
        return self.capital(self.say(message, names=self._all(people), margin=margin))

    def reasons_of_score(self, page: Page, bonuses: Mapping[tuple[int, ...], int]) -> list[str]:
        """Returns sentences on the way in which the score decides.

        Args:
            page: a page.
            bonuses: points of sides, by their colours, that no squares explain.
        """
        clauses = [self.say(f"why.{page.scoring}")]
        for colours, bonus in bonuses.items():
            names = self._all(self._people(page, colours))
            clauses.append(self.say("bonus", names=names, bonus=f"+{bonus}"))
        in_sides = {i for side in page.sides for i in side.colours}
        for i, colour in enumerate(page.colours):
            if i not in in_sides:
                shared = self.say("shared-counts", colour=self.colour(colour))
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
        message = "rematch" if offered else "rematch-cleared"
        clause = self.say(message, player=player or self.say("next-person"))
        return self.sentence(clause)

    def move(self, page: Page, move: MoveEntry) -> str:
        """Returns a clause on a move or a pass."""
        colour = self.mover(page, move)
        if not move.piece:
            return self.say("passes", colour=colour)
        piece = self.piece(page.colours[move.colour], move.piece, move.squares)
        squares = self.place(page, move.squares)
        clause = self.say("laid", colour=colour, piece=piece, squares=squares)
        return self.say("overruled", move=clause) if move.overruled else clause

    def candidate(self, page: Page, one: CandidateEntry) -> str:
        """Returns a clause on a possible placement."""
        return self.move(page, MoveEntry(page.ply + 1, one.colour, one.piece, one.squares))

    def clock(self, left_ms: int) -> str:
        """Returns the time that a clock has left, with the second that has begun."""
        return time_text(ceil(max(left_ms, 0) / 1000))

    def mover(self, page: Page, move: MoveEntry) -> str:
        """Returns the colour of a move with the name of who made it, if that is known."""
        colour, player = self._colour(page, move.colour), page.colours[page.mover(move)].player
        if not player:
            return colour
        return self.say("colour-of", player=player, colour=colour)

    def listed(self, words: Iterable[str]) -> str:
        """Returns words with commas between them."""
        return self.say("comma").join(words)

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
            return self._sentences((*refusals, self.say("take-back")))
        if page.state.code in _IN_PASSING:
            if computer := self._computer(page):
                clauses.append(computer)
            elif page.turn is not None:
                colour = self._colour(page, page.turn)
                waiting = self.say(f"states.{RefereeState.WAITING}")
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
        return self.known("titles", title, title)

    def sentence(self, clause: str) -> str:
        """Returns a clause with an initial capital and a full stop."""
        text = self.capital(clause)
        if text.endswith((".", "!", "?", "。")):
            return text
        return self.say("full-stop", clause=text)

    def capital(self, text: str) -> str:
        """Returns a text with an initial capital; the name of a square has none."""
        return text if _SQUARE.match(text) else text[:1].upper() + text[1:]

    def _state(self, page: Page) -> str:
        state = page.state
        match state.code:
            case RefereeState.BOARD_LOST | RefereeState.SEARCHING | RefereeState.CAMERA_AWAY:
                return self._unseen(state)
            case RefereeState.ACCEPTED if page.moves:
                move = self.move(page, page.moves[-1])
                return self.say("accepted-move", move=move)
            case RefereeState.TO_LIFT:
                return self._lifts(page)
            case RefereeState.DISTURBED if state.current_squares or state.target_squares:
                return self._way_back(page)
            case RefereeState.DISTURBED | RefereeState.UNSURE:
                return self._where(page)
        message, player = f"states.{state.code}", ""
        if page.puzzle is not None and f"states-of-puzzle.{state.code}" in self._texts:
            message = f"states-of-puzzle.{state.code}"
        colour = "" if state.colour is None else self._colour(page, state.colour)
        if state.code is RefereeState.ANEW_ASKED and state.size not in (0, page.size):
            message = "other-board"
        elif state.code is RefereeState.NEW_GAME and state.colour is not None:
            player = page.colours[state.colour].player
            message = "new-game-by" if player else message
        return self.say(
            message,
            colour=colour,
            player=player,
            result=self.result(page),
            size=state.size,
            own=page.size,
        )

    def _computer(self, page: Page) -> str:
        """Returns a clause on the computer's turn: it gets ready, it thinks, or it has chosen."""
        chosen = page.chosen
        if chosen is not None:
            return self.say(
                "computer-chose",
                level=self._level_of(page, chosen.colour),
                colour=self._colour(page, chosen.colour),
                piece=self.piece(page.colours[chosen.colour], chosen.piece, chosen.squares),
                squares=self.place(page, chosen.squares),
            )
        if not page.computer_thinks or page.turn is None:
            return ""
        level, colour = self._level_of(page, page.turn), self._colour(page, page.turn)
        message = "computer-prepares" if page.computer_prepares else "computer-thinks"
        return self.say(message, level=level, colour=colour)

    def _level_of(self, page: Page, colour: int) -> str:
        level = page.colours[colour].level
        return self.player_level(level) if level else ""

    def _unseen(self, state: RefereeStatus) -> str:
        """Returns a clause on the reason that the board is not seen, if it is known."""
        if state.failure is not None:
            detail = self.say(f"board-failures.{state.failure}")
            is_searching = state.code is RefereeState.SEARCHING
            return self.say("searching-why" if is_searching else "board-lost-why", detail=detail)
        if state.fault is not None:
            detail = self.say(f"camera-faults.{state.fault}")
            return self.say("camera-away-why", detail=detail)
        return self.say(f"states.{state.code}")

    def _where(self, page: Page) -> str:
        """Returns a clause on what people have to do, with the squares if they are known."""
        state = page.state
        if state.asked:
            return self.say("whose-turn")
        message = f"{'states-with-squares' if state.squares else 'states'}.{state.code}"
        if state.code is RefereeState.UNSURE and state.squares and not page.candidates:
            message = "unclear"
        squares = (self.place if page.candidates else self.squares)(page, state.squares)
        return self.say(message, squares=squares)

    def _way_back(self, page: Page) -> str:
        """Returns a clause on the piece to put back next, to restore the accepted position."""
        state = page.state
        assert state.colour is not None, "the contract sees to it"
        piece = self.say("piece-of", colour=self._colour(page, state.colour))
        message = "goes-back" if state.current_squares and state.target_squares else "missing"
        return self.say(
            message if state.target_squares else "in-the-way",
            piece=piece,
            current=self.place(page, state.current_squares),
            target=self.place(page, state.target_squares),
        )

    def _sentences(self, clauses: Iterable[str]) -> str:
        """Joins clauses as sentences."""
        sentences = [self.sentence(clause) for clause in clauses]
        return reduce(lambda first, second: self.say("then", first=first, second=second), sentences)

    def _decisions(self, page: Page) -> Iterator[str]:
        """Yields clauses on time-outs, which the arbiter judges, and on resignations."""
        for clock in page.clocks:
            if clock.timed_out:
                colours = self._all(self._colour(page, i) for i in clock.colours)
                yield self.say("time-out", colours=colours)
        if page.resigned:
            colours = self._all(self._colour(page, i) for i in page.resigned)
            yield self.say("resigned", colours=colours)

    def _colour(self, page: Page, index: int) -> str:
        return self.colour(page.colours[index])

    def _people(self, page: Page, colours: Iterable[int]) -> list[str]:
        """Returns the names of those who play the colours; colour names where unknown."""
        names = (page.colours[i].player or self._colour(page, i) for i in colours)
        return list(dict.fromkeys(names))

    def _all(self, words: Iterable[str]) -> str:
        *first, last = [*words] or [""]
        if not first:
            return last
        start = self.say("comma").join(first)
        return self.say("and", first=start, last=last)


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


def _losers(page: Page, result: GameResult) -> tuple[int, ...]:
    """Returns colours of those who gave up, or whose time ran out; if unknown, of all others."""
    if result.how is EndReason.RESIGNED:
        lost = page.resigned
    else:
        lost = tuple(i for clock in page.clocks if clock.timed_out for i in clock.colours)
    best = {*result.winner, *result.tied}
    others = tuple(i for side in page.sides for i in side.colours if i not in best)
    return tuple(i for i in lost if i not in best) or others
