"""The review of a recorded game on the command line: its searches, and what is printed."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from firmware.codes import MoveReasonCode
from firmware.commands.board_text import square_names
from firmware.commands.progress import Progress
from firmware.errors import PlayerError
from firmware.game.reasons import Reason, to_json
from firmware.player.client import EngineClient
from firmware.player.review import GameReview, ReviewMoment, next_task, review
from firmware.player.review_search import SearchTask, outcome_of, request_of
from firmware.player.search_process import START_S
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.records.course import Course, CoursePly
from firmware.rules.variants import Colour, Edition
from web.contract import PlayerStart
from web.contract.review import PieceLifeEntry
from web.i18n.wording import Wording


def print_review(course: Course, edition: Edition, *, threads: int, as_json: bool) -> None:
    """Searches the game and prints its review; without a player, what the rules alone give."""
    results: dict[SearchTask, SearchResult] = {}
    try:
        _search(course, results, threads)
    except PlayerError as error:
        print(f"the review has no chances: {error}", file=sys.stderr)
    found = review(course, results)
    rows = _rows(course, found, edition)
    if as_json:
        for row in rows:
            print(json.dumps(row))
    else:
        for line in _lines(course, found, edition):
            print(line)


def _search(course: Course, results: dict[SearchTask, SearchResult], threads: int) -> None:
    """Makes all searches of the review.

    Raises:
        PlayerError: the player cannot run, or has ended.
    """
    progress = Progress()
    link = EngineClient(threads=threads)
    try:
        while (task := next_task(course, results)) is not None:
            results[task] = _answer(link, course, task, progress)
            progress.show(f"position {task.at} of {len(course.plies)}")
    finally:
        progress.clear()
        link.close()


def _answer(
    link: EngineClient, course: Course, task: SearchTask, progress: Progress
) -> SearchResult:
    begin = partial(show_start, progress)
    answer = link.finish(link.ask(request_of(course, task)), START_S, lambda _: None, begin)
    return outcome_of(course, task, answer)


def show_start(progress: Progress, start: PlayerStart) -> None:
    """Shows how far the player has come with getting ready."""
    progress.show(Wording().player_start(start))


# JSON


def _rows(course: Course, found: GameReview, edition: Edition) -> Iterator[dict[str, Any]]:
    moments = {one.at: one for one in found.moments}
    for at, ply in enumerate(course.plies):
        yield _row(ply, found, at, moments.get(at), edition)
    yield _summary(course, found, edition)


def _row(
    ply: CoursePly, found: GameReview, at: int, moment: ReviewMoment | None, edition: Edition
) -> dict[str, Any]:
    one = found.estimates[at]
    better = None if one is None or one.best.move == ply.move else one.best
    row = {
        "ply": ply.number,
        "color": edition[ply.colour],
        "piece": ply.move.piece.name,
        "cells": square_names(ply.before.board, ply.move.squares),
        "legal": ply.is_legal,
        "value": None
        if one is None
        else {"before": _round(one.before), "after": _round(one.after)},
        "loss": None if one is None else _round(one.loss),
        "points_lost": None if one is None else round(one.points_lost, 1),
        "better": None if better is None else _choice(better, ply),
        "stands": moment is not None,
        "proved": None if one is None else {"before": one.proved_before, "after": one.proved_after},
        "chances": found.chances[at + 1],
        "placements": dict(zip(edition, found.mobility[at + 1], strict=True)),
    }
    if moment is not None:
        row["could_have_won"] = moment.could_have_won
        row["accepted"] = [square_names(ply.before.board, m.squares) for m in moment.accepted]
    return row


def _choice(one: SearchedMove, ply: CoursePly) -> dict[str, Any]:
    return {
        "cells": square_names(ply.before.board, one.move.squares),
        "piece": one.move.piece.name,
        "value": _round(one.value),
        "margin": round(one.margin, 1),
        "visits": one.visits,
        "reasons": list(map(to_json, one.reasons)),
    }


def _summary(course: Course, found: GameReview, edition: Edition) -> dict[str, Any]:
    turning, sides = found.turning, course.final.game.sides
    return {
        "event": "summary",
        "game": course.final.game.key,
        "finished": course.final.is_over,
        "complete": found.is_complete,
        "moments": [course.plies[one.at].number for one in found.moments],
        "turning_point": None
        if turning is None
        else {
            "after_ply": _number(course, turning.at),
            "leader": [edition[colour] for colour in sides[turning.side]],
            "before": None
            if turning.before is None
            else [edition[colour] for colour in sides[turning.before]],
        },
        "players": [
            {
                "colors": [edition[colour] for colour in side],
                "points_lost_a_move": None if points is None else round(points, 2),
            }
            for side, points in zip(sides, found.points_a_move, strict=True)
        ],
        "left": [
            {
                "color": edition[life.colour],
                "piece": life.piece,
                "last_place_lost_at_ply": life.ply,
                "taken_by": None if life.taken_by is None else edition[life.taken_by],
            }
            for life in found.lives
        ],
    }


def _number(course: Course, at: int) -> int:
    """The number of the placement before a position; 0 for the first one."""
    return course.plies[at - 1].number if at else 0


def _round(value: float) -> float:
    return round(value, 3)


# Text


def _lines(course: Course, found: GameReview, edition: Edition) -> Iterator[str]:
    if found.searched:
        yield "   move                               chance before  after   points lost"
    for at, ply in enumerate(course.plies):
        yield _line(ply, found, at, edition)
    for moment in found.moments:
        yield _moment(course, moment, edition)
    yield from _ending(course, found, edition)


def _line(ply: CoursePly, found: GameReview, at: int, edition: Edition) -> str:
    one = found.estimates[at]
    head = f"{ply.number:>4} {edition[ply.colour]:<7}{ply.move.piece.name:3} {ply.move!s:20}"
    if one is None:
        return head.rstrip() if ply.is_legal else f"{head} breaks a rule"
    return f"{head} {one.before:>11.0%} {one.after:>7.0%} {one.points_lost:>11.1f}"


def _moment(course: Course, moment: ReviewMoment, edition: Edition) -> str:
    ply, better = course.plies[moment.at], moment.better
    text = (
        f"move {ply.number} cost {edition[ply.colour]} {moment.estimate.loss:.0%}:"
        f" {better.move.piece.name} {better.move} was better"
    )
    if moment.could_have_won:
        text += ", and it is proved that it wins"
    return "\n".join([text, *(f"     {one}" for one in reason_sentences(better.reasons))])


def reason_sentences(reasons: Iterable[Reason]) -> list[str]:
    """Returns sentences on the reasons for a move, without the proof that its line has."""
    words = Wording()
    return [
        words.sentence(words.move_reason(reason.code, reason.number, words.listed(reason.squares)))
        for reason in reasons
        if reason.code is not MoveReasonCode.PROVEN
    ]


def _ending(course: Course, found: GameReview, edition: Edition) -> Iterator[str]:
    sides, turning = course.final.game.sides, found.turning
    if turning is not None:
        names = " and ".join(edition[colour] for colour in sides[turning.side])
        verb = "lead" if len(sides[turning.side]) > 1 else "leads"
        since = f"move {_number(course, turning.at)} on" if turning.at else "the beginning"
        yield f"from {since} {names} {verb} to the end"
    elif found.is_complete and found.searched and not found.moments:
        yield "no move cost much"
    for side, points in zip(sides, found.points_a_move, strict=True):
        if points is not None:
            names = " and ".join(edition[colour] for colour in side)
            yield f"{names}: {points:.1f} points lost a move"
    yield from left_over(found.lives, edition)


def left_over(lives: Iterable[PieceLifeEntry], edition: Edition) -> Iterator[str]:
    """Yields a sentence on the pieces of each colour whose last places the same move took."""
    for _, group in groupby(sorted(lives, key=_end), key=_end):
        yield _left_over(list(group), edition)


def _end(life: PieceLifeEntry) -> tuple[Colour, bool, int, int]:
    """Sorts by colour, by the ply at which the last place vanished, and by whose move it was.

    Pieces that still have a place come last, and those that lost it by no move before others.
    """
    taken_by = -1 if life.taken_by is None else life.taken_by
    return life.colour, life.ply is None, life.ply or 0, taken_by


def _left_over(lives: Sequence[PieceLifeEntry], edition: Edition) -> str:
    """Returns a sentence on pieces that are equal by `_end`."""
    life, one = lives[0], len(lives) == 1
    pieces = ", ".join(life.piece for life in lives)
    if life.ply is None:
        fate = "it still has a place" if one else "each still has a place"
    elif life.ply == 0:
        fate = "it never had a place" if one else "they never had a place"
    else:
        places = "its last place" if one else "their last places"
        by = "" if life.taken_by is None else f" of {edition[life.taken_by]}"
        fate = f"{places} vanished with move {life.ply}{by}"
    return f"{edition[life.colour]} has {pieces} left: {fate}"
