import threading
import time
from dataclasses import replace

from tests.support import example_pages
from web.contract import Page
from web.hall.commands import LONGEST_DELAY_S
from web.hall.history import STEP_S, GameHistory, GameRecording
from web.table_client import TableSnapshot


def state(page: Page, at: float) -> TableSnapshot:
    return TableSnapshot(page=page, connected=True, paged_at=at)


def test_nothing_is_shown_before_it_is_old_enough() -> None:
    recording = GameRecording()
    first = state(example_pages.empty(), 100.0)
    recording.record(first, 100.0)
    assert recording.shown(99.9).page is None
    assert recording.shown(100.0) == first


def test_a_later_state_waits_for_its_own_time() -> None:
    recording = GameRecording()
    recording.record(state(example_pages.empty(), 100.0), 100.0)
    recording.record(state(example_pages.duo_over(), 110.0), 110.0)
    assert recording.shown(109.0).page == example_pages.empty()
    assert recording.shown(113.0) == state(example_pages.duo_over(), 110.0)


def test_the_last_state_stays_however_old_it_is() -> None:
    recording = GameRecording()
    first = state(example_pages.empty(), 0.0)
    recording.record(first, 0.0)
    recording.record(first, 10_000.0)
    assert recording.shown(20_000.0 - LONGEST_DELAY_S) == first


def test_a_loss_is_late_too() -> None:
    recording = GameRecording()
    first = state(example_pages.empty(), 0.0)
    recording.record(first, 0.0)
    recording.record(replace(first, connected=False, lost_at=50.0), 50.0)
    assert recording.shown(40.0).connected
    assert recording.shown(65.0).lost_at == 50.0


def test_an_hour_of_constant_change_takes_bounded_memory() -> None:
    recording, page = GameRecording(), example_pages.classic_middle()
    for step in range(600):
        recording.record(state(replace(page, revision=step), step * 15.0), step * 15.0)
    states = recording._states
    assert len(states) <= LONGEST_DELAY_S / 15 + 2
    longest = max(len(packed) for packed, _ in states)
    assert longest * LONGEST_DELAY_S / STEP_S < 16e6


def test_an_unknown_table_has_no_state() -> None:
    history = GameHistory(lambda _: None, lambda: True)
    assert history.shown("9", 0) is None
    assert history.shown("9", 60) is None


def test_the_past_is_kept_from_the_first_request_with_a_delay() -> None:
    states = [state(example_pages.empty(), 1.0)]
    ended = threading.Event()
    history = GameHistory(lambda _: states[-1], ended.is_set)
    try:
        assert history.shown("", 1) is not None
        states.append(state(example_pages.duo_over(), 2.0))
        time.sleep(1.2)
        shown = history.shown("", 1)
        assert shown is not None
        assert shown.page == example_pages.empty()
        time.sleep(1.2)
        shown = history.shown("", 1)
        assert shown is not None
        assert shown.page == example_pages.duo_over()
    finally:
        ended.set()


def test_a_table_that_nobody_asks_for_any_more_is_dropped() -> None:
    tables = {"7": TableSnapshot()}
    history = GameHistory(tables.get, lambda: True)
    assert history.shown("7", 60) is not None
    tables.clear()
    history.look()
    assert history._recordings == {}
