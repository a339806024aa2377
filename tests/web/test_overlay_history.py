import threading
import time
from dataclasses import replace

from tests.support import example_pages
from web.overlay_history import (
    LONGEST_DELAY_S,
    STEP_S,
    OverlayHistory,
    OverlayState,
    StateRecording,
)


def test_nothing_is_shown_before_it_is_old_enough() -> None:
    recording = StateRecording()
    first = OverlayState(example_pages.empty(), 100.0)
    recording.record(first, 100.0)
    early = recording.shown(30, 129.9)
    assert early.state.page is None
    assert 0 < early.wait_s < 0.2
    assert recording.shown(30, 130.0).state == first


def test_a_later_state_waits_for_its_own_time_and_clocks_count_from_then() -> None:
    recording = StateRecording()
    recording.record(OverlayState(example_pages.empty(), 100.0), 100.0)
    recording.record(OverlayState(example_pages.duo_over(), 110.0), 110.0)
    assert recording.shown(60, 169.0).state.page == example_pages.empty()
    shown = recording.shown(60, 173.0)
    assert shown.state.page == example_pages.duo_over()
    assert shown.age_ms() == 3000


def test_the_last_state_stays_however_old_it_is() -> None:
    recording = StateRecording()
    state = OverlayState(example_pages.empty(), 0.0)
    recording.record(state, 0.0)
    recording.record(state, 10_000.0)
    assert recording.shown(LONGEST_DELAY_S, 20_000.0).state == state


def test_a_loss_is_late_too() -> None:
    recording = StateRecording()
    state = OverlayState(example_pages.empty(), 0.0)
    recording.record(state, 0.0)
    recording.record(replace(state, lost_at=50.0), 50.0)
    assert recording.shown(60, 100.0).silent_ms() is None
    assert recording.shown(60, 125.0).silent_ms() == 15_000


def test_an_hour_of_constant_change_takes_bounded_memory() -> None:
    recording, page = StateRecording(), example_pages.classic_middle()
    for step in range(600):
        recording.record(OverlayState(replace(page, revision=step), step * 15.0), step * 15.0)
    states = recording._states
    assert len(states) <= LONGEST_DELAY_S / 15 + 2
    longest = max(len(packed) for packed, _ in states)
    assert longest * LONGEST_DELAY_S / STEP_S < 16e6


def test_an_unknown_table_has_no_state() -> None:
    history = OverlayHistory(lambda _: None, lambda: True)
    assert history.shown("9", 0) is None
    assert history.shown("9", 60) is None


def test_the_past_is_kept_from_the_first_request_with_a_delay() -> None:
    states = [OverlayState(example_pages.empty(), 1.0)]
    ended = threading.Event()
    history = OverlayHistory(lambda _: states[-1], ended.is_set)
    try:
        assert history.shown("", 1) is not None
        states.append(OverlayState(example_pages.duo_over(), 2.0))
        time.sleep(1.2)
        shown = history.shown("", 1)
        assert shown is not None
        assert shown.state.page == example_pages.empty()
        time.sleep(1.2)
        shown = history.shown("", 1)
        assert shown is not None
        assert shown.state.page == example_pages.duo_over()
    finally:
        ended.set()


def test_a_table_that_nobody_asks_for_any_more_is_dropped() -> None:
    tables = {"7": OverlayState()}
    history = OverlayHistory(tables.get, lambda: True)
    assert history.shown("7", 60) is not None
    tables.clear()
    history.look()
    assert history._recordings == {}
