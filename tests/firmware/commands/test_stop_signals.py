import os
import signal
import weakref
from collections.abc import Iterator

import pytest

from firmware.commands.stop_signals import StopSignals


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_interrupts_and_is_remembered(number: signal.Signals) -> None:
    stop = StopSignals()
    stop.check()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    with pytest.raises(KeyboardInterrupt):
        stop.check()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_in_the_callback_of_a_weak_reference_is_not_lost() -> None:
    class Referent:
        pass

    stopped: list[bool] = []
    stop = StopSignals()
    stop.on_stop = lambda: stopped.append(True)
    referent = Referent()
    reference = weakref.ref(referent, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del referent
    assert reference() is None
    assert stopped == [True]
    with pytest.raises(KeyboardInterrupt):
        stop.check()
