"""Reviews in the background: with a made-up player, interruptions, restarts and damaged files."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.game.config import GameConfig
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.engine_queue import EngineQueue, Use
from firmware.player.review_search import SIMULATIONS
from firmware.player.review_service import ReviewService
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.player.stored_review import course_digest
from firmware.records.course import Course, course_of
from firmware.records.record import Record
from firmware.records.replay import replay
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.fake_table import house
from tests.support.random_games import random_game
from tests.support.reviewed_games import random_course
from tests.support.stored_games import store_game
from web.contract.game_folder import RECORD, REVIEW
from web.contract.review import StoredReview

LONG_S = 60.0


class MadeUpEngine(EngineClient):
    """A player that finds every first legal move even, at once while `is_ready`."""

    def __init__(self) -> None:
        self.asked: list[SearchRequest] = []
        self.is_ready = True
        self.failure: PlayerFailure | None = None

    def __call__(self) -> "MadeUpEngine":
        if self.failure is not None:
            raise PlayerError(self.failure, "it cannot run here")
        return self

    def ask(self, request: SearchRequest) -> int:
        self.asked.append(request)
        return len(self.asked)

    def answer(self, request: int) -> SearchResult | None:
        if self.failure is not None:
            raise PlayerError(self.failure, "it has ended")
        if not self.is_ready:
            return None
        asked = self.asked[request - 1]
        moves = Position.parse(asked.position).legal_moves
        move = Move.parse(asked.only[0], 14) if asked.only else next(iter(moves))
        simulations = asked.simulations or 1
        choice = SearchedMove(move, 0.5, 0.0, simulations)
        return SearchResult((choice,), simulations, 0.1, done=True)

    def close(self) -> None:
        pass


@pytest.fixture
def engine() -> MadeUpEngine:
    return MadeUpEngine()


@pytest.fixture
def service(tmp_path: Path, engine: MadeUpEngine) -> Iterator[ReviewService]:
    service = ReviewService(tmp_path, EngineQueue(engine))
    yield service
    service.close()


def game(folder: Path, number: int) -> Path:
    """Stores the record of a random game; returns its folder."""
    path = folder / f"{number:06}-duo"
    path.mkdir()
    (path / RECORD).write_bytes(random_game("duo", number)[0].write())
    return path


def stored(folder: Path) -> StoredReview | None:
    path = folder / REVIEW
    return StoredReview.from_json(path.read_bytes()) if path.exists() else None


def course_at(folder: Path) -> Course:
    record = Record.read((folder / RECORD).read_bytes())
    return course_of(record, list(replay(record)))


def poll_until_complete(service: ReviewService, folder: Path) -> StoredReview:
    until = time.monotonic() + LONG_S
    while time.monotonic() < until:
        for _ in range(20):
            service.work(time.monotonic())
            time.sleep(0.001)
        found = stored(folder)
        if found is not None and found.complete:
            return found
    raise AssertionError("the review is not complete")


def poll_for(service: ReviewService, seconds: float, now: float | None = None) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        service.work(time.monotonic() if now is None else now)
        time.sleep(0.001)


def test_a_finished_game_is_reviewed(tmp_path: Path, service: ReviewService) -> None:
    found = poll_until_complete(service, game(tmp_path, 1))
    assert found.searched == found.to_search == len(found.moves)
    assert found.failure is None


def test_a_game_that_ends_later_is_reviewed_too(
    tmp_path: Path, service: ReviewService, engine: MadeUpEngine
) -> None:
    poll_for(service, 0.2)
    assert not engine.asked
    poll_until_complete(service, game(tmp_path, 1))


def searched(folder: Path) -> int:
    review = stored(folder)
    return 0 if review is None else review.searched


def poll_until_searched(service: ReviewService, engine: MadeUpEngine, count: int) -> None:
    """Lets the service make some searches, and holds up the next one."""
    before, until = len(engine.asked), time.monotonic() + LONG_S
    while len(engine.asked) < before + count:
        assert time.monotonic() < until
        service.work(time.monotonic())
    engine.is_ready = False


def test_a_failure_of_the_player_costs_no_search(
    tmp_path: Path, service: ReviewService, engine: MadeUpEngine
) -> None:
    folder = game(tmp_path, 1)
    poll_until_searched(service, engine, 6)
    engine.failure = PlayerFailure.ENDED
    poll_for(service, 0.5)
    assert searched(folder) > 0
    engine.failure, engine.is_ready = None, True
    asked = len(engine.asked)
    poll_for(service, 2.0, time.monotonic() + 400.0)
    found = stored(folder)
    assert found is not None
    assert found.complete
    assert engine.asked[0] not in engine.asked[asked:]


def test_a_game_that_goes_on_during_its_review_is_reviewed_again(
    tmp_path: Path, service: ReviewService, engine: MadeUpEngine
) -> None:
    folder = game(tmp_path, 1)
    poll_until_searched(service, engine, 5)
    (folder / RECORD).write_bytes(random_game("duo", 2)[0].write())
    other = course_digest(course_at(folder))
    engine.is_ready = True
    until = time.monotonic() + LONG_S
    while (found := stored(folder)) is None or not found.complete or found.course != other:
        assert time.monotonic() < until
        poll_for(service, 0.05)


def test_the_newest_game_comes_first(tmp_path: Path, service: ReviewService) -> None:
    older, newer = game(tmp_path, 1), game(tmp_path, 2)
    poll_until_complete(service, newer)
    first = stored(older)
    assert first is None or not first.complete
    poll_until_complete(service, older)


def test_a_hint_comes_first_and_the_review_goes_on(tmp_path: Path, engine: MadeUpEngine) -> None:
    queue = EngineQueue(engine)
    service = ReviewService(tmp_path, queue)
    folder = game(tmp_path, 1)
    engine.is_ready = False
    until = time.monotonic() + LONG_S
    while not engine.asked and time.monotonic() < until:
        poll_for(service, 0.01)
    assert engine.asked[-1].simulations == SIMULATIONS
    hint = queue.submit(Use.HINT, SearchRequest(str(Position.start("duo")), seconds=2.0))
    assert engine.asked[-1].seconds == 2.0
    engine.is_ready = True
    assert queue.answer(hint) is not None
    poll_until_complete(service, folder)
    service.close()


def test_it_begins_anew_after_a_restart(tmp_path: Path, engine: MadeUpEngine) -> None:
    folder = game(tmp_path, 1)
    first = ReviewService(tmp_path, EngineQueue(engine))
    until = time.monotonic() + LONG_S
    found = None
    while time.monotonic() < until and (found is None or not found.searched):
        poll_for(first, 0.005)
        found = stored(folder)
    first.close()
    assert found is not None
    assert not found.complete
    engine.asked.clear()
    second = ReviewService(tmp_path, EngineQueue(engine))
    whole = poll_until_complete(second, folder)
    second.close()
    assert len(engine.asked) >= whole.to_search


def test_a_complete_review_is_not_computed_again(tmp_path: Path, engine: MadeUpEngine) -> None:
    folder = game(tmp_path, 1)
    first = ReviewService(tmp_path, EngineQueue(engine))
    poll_until_complete(first, folder)
    first.close()
    engine.asked.clear()
    second = ReviewService(tmp_path, EngineQueue(engine))
    poll_for(second, 0.5)
    second.close()
    assert not engine.asked


def test_a_damaged_review_is_computed_anew(tmp_path: Path, service: ReviewService) -> None:
    folder = game(tmp_path, 1)
    (folder / REVIEW).write_bytes(b'{"version": 1, "course"')
    until = time.monotonic() + LONG_S
    while b"chances" not in (folder / REVIEW).read_bytes() and time.monotonic() < until:
        poll_for(service, 0.01)
    assert poll_until_complete(service, folder).searched


@pytest.mark.parametrize("failure", [PlayerFailure.NOT_INSTALLED, PlayerFailure.NO_MEMORY])
def test_without_the_player_the_rules_alone_are_stored(
    tmp_path: Path, service: ReviewService, engine: MadeUpEngine, failure: PlayerFailure
) -> None:
    engine.failure = failure
    folder = game(tmp_path, 1)
    until = time.monotonic() + LONG_S
    while time.monotonic() < until and ((found := stored(folder)) is None or not found.failure):
        poll_for(service, 0.01)
    assert found is not None
    assert found.failure is failure
    assert found.lives
    assert not found.searched
    engine.failure = None
    poll_for(service, 0.3)
    assert not engine.asked, "it is not asked again at once"
    start = time.monotonic()
    poll_for(service, 0.3, now=start + 1000)
    assert engine.asked


def test_a_table_without_a_player_stores_what_the_rules_give(tmp_path: Path) -> None:
    folder = game(tmp_path, 1)
    service = ReviewService(tmp_path, None)
    until = time.monotonic() + LONG_S
    while stored(folder) is None and time.monotonic() < until:
        poll_for(service, 0.01)
    service.close()
    found = stored(folder)
    assert found is not None
    assert found.failure is PlayerFailure.NOT_INSTALLED


def test_what_is_no_record_is_passed_over(
    tmp_path: Path, service: ReviewService, caplog: pytest.LogCaptureFixture
) -> None:
    folder = game(tmp_path, 1)
    broken = tmp_path / "000002-duo"
    broken.mkdir()
    (broken / RECORD).write_text("nonsense")
    (tmp_path / "000003-duo").mkdir()
    poll_until_complete(service, folder)
    poll_for(service, 0.3)
    assert sum("has no review" in one.message for one in caplog.records) == 1


def test_a_table_reviews_its_games_while_its_loop_turns(
    tmp_path: Path, engine: MadeUpEngine
) -> None:
    folder = store_game(tmp_path / "games", "000001-duo", random_course())
    until = time.monotonic() + LONG_S
    with house(tmp_path, GameConfig(GAMES["duo"]), player=engine) as table:
        while (found := stored(folder)) is None or not found.complete:
            assert time.monotonic() < until
            table.look(1)
            time.sleep(0.001)
