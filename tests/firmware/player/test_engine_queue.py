"""One process of the player serves the most urgent request first, and every request in the end."""

import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.engine_queue import EngineQueue, Use
from firmware.player.search_result import SearchResult


class QueuedEngine(EngineClient):
    """A process that answers when the test lets it; a new request ends the one before."""

    def __init__(self) -> None:
        self.started = 0
        self.asked: list[SearchRequest] = []
        self.done = False
        self.broken: PlayerFailure | None = None

    def __call__(self) -> "QueuedEngine":
        self._check()
        self.started += 1
        return self

    def ask(self, request: SearchRequest) -> int:
        self._check()
        self.asked.append(request)
        return len(self.asked)

    def answer(self, request: int) -> SearchResult | None:
        self._check()
        assert request == len(self.asked), "only the newest request has an answer"
        return SearchResult((), len(self.asked), 0.1, self.done)

    def close(self) -> None:
        self.done = False

    def _check(self) -> None:
        if self.broken is not None:
            raise PlayerError(self.broken, "it gives no answer")


@pytest.fixture
def engine() -> QueuedEngine:
    return QueuedEngine()


def asked(engine: QueuedEngine) -> list[str]:
    return [one.position for one in engine.asked]


def test_the_process_is_started_for_the_first_request_with_its_options(
    engine: QueuedEngine,
) -> None:
    queue = EngineQueue(engine)
    assert engine.started == 0
    queue.submit(Use.HINT, SearchRequest("a", seconds=2.0, most=1))
    assert engine.started == 1
    assert engine.asked == [SearchRequest("a", seconds=2.0, most=1)]


def test_requests_of_one_use_are_answered_in_order(engine: QueuedEngine) -> None:
    queue = EngineQueue(engine)
    first, second = (
        queue.submit(Use.REVIEW, SearchRequest("a")),
        queue.submit(Use.REVIEW, SearchRequest("b")),
    )
    assert queue.answer(second) is None
    assert asked(engine) == ["a"]
    engine.done = True
    found = queue.answer(first)
    assert found is not None
    assert found.done
    assert asked(engine) == ["a", "b"]
    newest = queue.answer(second)
    assert newest is not None
    assert newest.simulations == 2
    assert queue.answer(first) is found, "an answer stays"


def test_a_more_urgent_request_ends_the_running_one_which_is_asked_again(
    engine: QueuedEngine,
) -> None:
    queue = EngineQueue(engine)
    review = queue.submit(Use.REVIEW, SearchRequest("review"))
    later = queue.submit(Use.REVIEW, SearchRequest("later"))
    hint = queue.submit(Use.HINT, SearchRequest("hint"))
    opponent = queue.submit(Use.OPPONENT, SearchRequest("opponent"))
    assert asked(engine) == ["review", "hint", "opponent"]
    engine.done = True
    for ticket in (opponent, hint, review, later):
        found = queue.answer(ticket)
        assert found is not None
        assert found.done
    assert asked(engine) == ["review", "hint", "opponent", "hint", "review", "later"]


def test_a_cancelled_request_is_not_asked_and_makes_room(engine: QueuedEngine) -> None:
    queue = EngineQueue(engine)
    running, waiting = (
        queue.submit(Use.HINT, SearchRequest("running")),
        queue.submit(Use.HINT, SearchRequest("waiting")),
    )
    last = queue.submit(Use.REVIEW, SearchRequest("last"))
    queue.cancel(waiting)
    queue.cancel(running)
    assert queue.answer(last) is None
    assert asked(engine) == ["running", "last"]


@pytest.mark.parametrize("at", ["start", "answer"])
def test_a_failure_ends_one_request_and_the_next_starts_another_process(
    engine: QueuedEngine, at: str
) -> None:
    queue = EngineQueue(engine)
    if at == "start":
        engine.broken = PlayerFailure.NO_MEMORY
    ticket, other = (
        queue.submit(Use.OPPONENT, SearchRequest("a")),
        queue.submit(Use.REVIEW, SearchRequest("b")),
    )
    engine.broken = PlayerFailure.ENDED
    with pytest.raises(PlayerError) as caught:
        queue.answer(ticket)
    wanted = PlayerFailure.NO_MEMORY if at == "start" else PlayerFailure.ENDED
    assert caught.value.code is wanted
    with pytest.raises(PlayerError):
        queue.answer(other)
    engine.broken, engine.done = None, True
    again = queue.submit(Use.OPPONENT, SearchRequest("a"))
    found = queue.answer(again)
    assert found is not None
    assert found.done


def test_no_request_waits_for_ever_for_a_process_that_was_ended(engine: QueuedEngine) -> None:
    queue = EngineQueue(engine)
    running, waiting = (
        queue.submit(Use.HINT, SearchRequest("a")),
        queue.submit(Use.REVIEW, SearchRequest("b")),
    )
    queue.close()
    for ticket in (running, waiting):
        with pytest.raises(PlayerError, match="was ended"):
            queue.answer(ticket)
