"""Work in a thread of its own: failures, and threads that cannot be had."""

import threading

import pytest

from firmware.session.background_job import BackgroundJob


def fail() -> int:
    raise ValueError("views of 3 crossings")


def test_a_failure_is_logged_and_has_no_result(caplog: pytest.LogCaptureFixture) -> None:
    job = BackgroundJob[int]("lens")
    assert job.start(fail)
    assert job.wait(10.0)
    assert job.take() is None
    assert "lens has failed" in caplog.text
    assert "views of 3 crossings" in caplog.text
    assert job.start(lambda: 7), "the next work runs"
    assert job.wait(10.0)
    assert job.take() == 7
    job.close()


def test_a_failure_is_raised_where_that_is_wanted() -> None:
    job = BackgroundJob[int]("reader", raises=True)
    job.start(fail)
    job.wait(10.0)
    with pytest.raises(ValueError, match="crossings"):
        job.take()
    job.close()


def test_work_for_which_there_was_no_thread_is_never_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    job, done = BackgroundJob[None]("reader"), list[str]()
    with monkeypatch.context() as limited:
        limited.setattr(threading.Thread, "start", refuse)
        assert not job.start(lambda: done.append("refused"))
    assert job.start(lambda: done.append("second"))
    assert job.wait(10.0)
    job.close()
    assert done == ["second"]
