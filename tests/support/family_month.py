"""A month of one family at a table: 60 games of four people, made from random games.

python -m tests.support.family_month FOLDER      # writes the games, for people who look at pages
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from firmware.codes import Scoring
from firmware.player.review_search import SearchTask
from firmware.player.search_result import SearchResult
from firmware.player.stored_review import build_review
from firmware.records.course import Course
from tests.support.reviewed_games import completed, random_course, searched
from tests.support.stored_games import store_game
from web.contract.game_folder import EVIDENCE, REVIEW
from web.contract.review import StoredReview

SPELLINGS = {
    "Ada": ("Ada", "ADA", "\u0410da"),
    "Ben": ("Ben", "ben", "B\u0435n"),
    "Zo\u00eb & Co": ("Zo\u00eb & Co", "Zoe\u0308 & Co", "ZO\u00cb  & CO"),
    "\u3055\u304f\u3089": ("\u3055\u304f\u3089",),
}
"""The people, and how they type their names; Latin and Cyrillic letters look the same."""

COMPUTER = "Blaise"
"""Name that somebody typed for a seat of the computer, who is no person."""

_GAMES = (
    "duo",
    "duo",
    "duo",
    "classic-2",
    "duo",
    "classic-3",
    "duo",
    "classic-teams",
    "duo",
    "classic",
)

GAMES = 60


@dataclass(frozen=True)
class FamilyGame:
    """A game of the month.

    Attributes:
        name: name of its folder.
        course: its placements.
        names: names of its people, as they were typed.
        computer: level of the computer for each of them.
        review: its review; None if it has none.
    """

    name: str
    course: Course
    names: tuple[str, ...]
    computer: tuple[int, ...]
    review: StoredReview | None


@cache
def _course(game: str, seed: int) -> Course:
    return random_course(game, seed)


@cache
def _review(game: str, seed: int) -> StoredReview:
    course, chance = _course(game, seed), random.Random(seed)  # noqa: S311
    losses = {at: chance.uniform(0.1, 0.4) for at in chance.sample(range(2, 18), 5)}

    def search(task: SearchTask) -> SearchResult:
        return searched(course, task, 0.5 - (losses.get(task.at, 0.0) if task.only else 0.0))

    return build_review(course, completed(course, search))


def month(games: int = GAMES) -> Iterator[FamilyGame]:
    """Yields the games, oldest first."""
    chance = random.Random(7)  # noqa: S311
    for number in range(1, games + 1):
        game, seed = _GAMES[number % len(_GAMES)], 1 + number % 3
        course = _course(game, seed)
        people = chance.sample(list(SPELLINGS), course.final.game.people)
        names = [chance.choice(SPELLINGS[one]) for one in people]
        computer: tuple[int, ...] = ()
        if game == "duo" and number % 9 == 0:
            names[1], computer = COMPUTER, (0, 4)
        scoring = Scoring.BASIC if number % 4 == 0 else Scoring.ADVANCED
        yield FamilyGame(
            f"{number:06}-2026-11-{1 + number * 29 // 61:02}-{game}",
            replace(course, scoring=scoring),
            tuple(names),
            computer,
            _review(game, seed) if number % 5 and game != "classic" else None,
        )


def store_month(folder: Path, games: int = GAMES) -> list[FamilyGame]:
    """Writes the games with their reviews and a picture each; returns them, oldest first."""
    stored = list(month(games))
    for one in stored:
        path = store_game(folder, one.name, one.course, one.names, one.computer)
        (path / EVIDENCE).mkdir()
        (path / EVIDENCE / "0001-after.jpg").write_bytes(b"\xff\xd8 a picture")
        if one.review is not None:
            (path / REVIEW).write_text(one.review.to_json())
    return stored


if __name__ == "__main__":
    store_month(Path(sys.argv[1]))
