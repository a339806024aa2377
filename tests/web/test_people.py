"""People: every figure of a month of one family is recounted from the courses of its games."""

import os
import time
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from shutil import copytree

import pytest

from firmware.game.seating import colours_of
from firmware.rules.extent import pieces_of
from firmware.rules.scoring import score
from tests.support.family_month import COMPUTER, SPELLINGS, FamilyGame, store_month
from web.contract.game_folder import REVIEW
from web.game_archive import GameArchive
from web.people import PersonHistory, people_of, person_named, puzzle_of_day

PEOPLE = list(SPELLINGS)
TODAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[FamilyGame]]:
    folder = tmp_path_factory.mktemp("month")
    return folder, store_month(folder)


def seats(month: list[FamilyGame], person: str) -> list[tuple[FamilyGame, int]]:
    """Returns the games of a person, oldest first, and the place in the order of play there."""
    return [
        (game, seat)
        for game in month
        for seat, name in enumerate(game.names)
        if name in SPELLINGS[person]
    ]


def losses(game: FamilyGame, seat: int) -> list[tuple[int, float]]:
    """Returns place and points of the reviewed placements of a person."""
    found = []
    for at, move in enumerate(game.review.moves if game.review else ()):
        position = game.course.plies[at].before
        shape = position.game
        if move.colour == shape.shared:
            mover = position.next_side
        else:
            mover = next(i for i in range(shape.people) if move.colour in colours_of(shape, i))
        if mover == seat and move.points_lost is not None:
            found.append((at, move.points_lost))
    return found


def history(folder: Path, name: str) -> PersonHistory:
    """Returns what past games tell of a person."""
    person = person_named(people_of(GameArchive(folder).listings()), name)
    assert person is not None
    return person


@pytest.mark.parametrize("name", PEOPLE)
def test_every_figure_is_that_of_slow_counting(
    month: tuple[Path, list[FamilyGame]], name: str
) -> None:
    folder, games = month
    person = history(folder, name)
    own = seats(games, name)
    assert person.name == own[-1][0].names[own[-1][1]]
    assert [one for one, _ in person.games] == [game.name for game, _ in reversed(own)]
    wins, squares, left, lost = 0, 0, Counter[str](), []
    for game, seat in own:
        position = game.course.final
        colours = colours_of(position.game, seat)
        wins += colours[0] in score(position).outcome(game.course.scoring)[0]
        for colour in colours:
            laid = {move.piece.name for move in position.laid[colour]}
            for piece in pieces_of(position.game):
                if piece.name not in laid:
                    squares += piece.size
                    left[piece.name] += 1
        if points := [one for _, one in losses(game, seat)]:
            lost.append(sum(points) / len(points))
    assert len(person.counted) == len(own)
    assert person.wins == wins > 0
    assert person.squares_left == pytest.approx(squares / len(own))
    often = [(piece.name, count) for piece, count in person.often_left]
    assert [count for _, count in often] == sorted(left.values(), reverse=True)[:3]
    assert all(left[piece] == count for piece, count in often)
    assert person.points_lost == pytest.approx(lost)
    assert len(lost) > 10


@pytest.mark.parametrize("name", PEOPLE)
def test_the_most_costly_mistakes_come_first_and_no_game_twice_in_a_row(
    month: tuple[Path, list[FamilyGame]], name: str
) -> None:
    folder, games = month
    person = history(folder, name)
    points = {
        (game.name, number): dict(losses(game, seat))[moment.at]
        for game, seat in seats(games, name)
        for number, moment in enumerate(game.review.moments if game.review else (), 1)
        if moment.at in dict(losses(game, seat))
    }
    shown = person.mistakes
    assert len(shown) == 12
    assert all(points[moment] == cost for moment, cost in shown)
    before = ""
    for (game, number), cost in shown:
        assert game != before
        others = [one for key, one in points.items() if key[0] != before]
        assert cost == max(others)
        before = game
        del points[game, number]


def test_the_computer_is_no_person(month: tuple[Path, list[FamilyGame]]) -> None:
    folder, games = month
    assert any(COMPUTER in game.names for game in games)
    assert len(people_of(GameArchive(folder).listings())) == len(PEOPLE)


def test_a_game_without_a_result_does_not_count(tmp_path: Path) -> None:
    (game,) = store_month(tmp_path, 1)
    pages = tmp_path / game.name / "pages.jsonl"
    pages.write_bytes(b"".join(pages.read_bytes().splitlines(keepends=True)[:-2]))
    person = history(tmp_path, game.names[0])
    assert (len(person.games), person.counted, person.squares_left) == (1, [], None)


def test_the_puzzle_is_the_same_all_day_and_another_one_tomorrow(tmp_path: Path) -> None:
    games = store_month(tmp_path, 9)
    archive = GameArchive(tmp_path)
    reviewed = [game for game in games if game.review is not None]
    late = time.mktime((*TODAY.timetuple()[:3], 23, 59, 0, 0, 0, -1))
    for at, game in enumerate(reviewed):
        os.utime(tmp_path / game.name / REVIEW, (late, late + at))
    today = puzzle_of_day(archive.listings(), TODAY)
    assert today is not None
    assert today[0] == reviewed[0].name  # on its first day a table has the first review alone
    days = [TODAY + timedelta(ahead) for ahead in range(1, 40)]
    following = [puzzle_of_day(archive.listings(), day) for day in days]
    assert all(one != other for one, other in pairwise(following))
    moments = [(g.name, n) for g in reviewed for n, _ in enumerate(g.review.moments, 1)]  # type: ignore[union-attr]
    assert set(following) == set(moments)
    copytree(tmp_path / reviewed[0].name, tmp_path / "000500-duo")
    os.utime(tmp_path / "000500-duo" / REVIEW, (late + 86400, late + 86400))
    assert puzzle_of_day(archive.listings(), TODAY + timedelta(1)) == following[0]


def test_without_games_there_is_nobody(tmp_path: Path) -> None:
    archive = GameArchive(tmp_path)
    assert people_of(archive.listings()) == []
    assert puzzle_of_day(archive.listings(), TODAY) is None


def test_files_that_are_damaged_name_nobody(tmp_path: Path) -> None:
    (game,) = store_month(tmp_path, 1)
    (tmp_path / game.name / REVIEW).write_bytes(b'{"version": 1, "moves": [{}]}')
    (person, *_) = people_of(GameArchive(tmp_path).listings())
    assert not person.points_lost
    assert not person.mistakes
    (tmp_path / game.name / "pages.jsonl").write_bytes(b"{}\n")
    assert people_of(GameArchive(tmp_path).listings()) == []


def test_three_hundred_games_are_read_in_a_second(
    tmp_path: Path, month: tuple[Path, list[FamilyGame]]
) -> None:
    folder, games = month
    for game in games:
        for copy in range(5):
            copytree(folder / game.name, tmp_path / f"{copy}{game.name[1:]}")
    archive = GameArchive(tmp_path)
    begun = time.thread_time()
    people = people_of(archive.listings())
    assert all(one.wins and one.mistakes for one in people)
    assert time.thread_time() - begun < 1
    assert sum(len(one.games) for one in people) > 600
