"""Output of a program that runs until it is stopped. It never waits, and never ends the program.

Standard output and standard error become pipes that never block; a thread each passes on what
comes. A pipe holds 64 kB, pipe(7): while nobody reads, as at a terminal that Control-S holds,
further lines are lost and counted. A disk that is full, or a reader that has gone, loses lines too.
Both is said once on standard error, when that takes it.
"""

import io
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

_DRAIN_S: Final = 1.5
"""Seconds at the end for what was printed last to be read."""

_LOOK_S: Final = 0.01
"""Seconds from one look at what was read to the next."""

_STDERR: Final = 2
"""File descriptor of standard error, on which libraries and other processes print as well."""

_CLOSED: Final = -1
"""File descriptor that is none."""


class _LiveStream(io.TextIOBase):
    """A stream in place of standard output or standard error.

    Args:
        before: the stream that it replaces.

    Attributes:
        encoding: the encoding of that stream.
    """

    encoding = "utf-8"

    def __init__(self, before: TextIO) -> None:
        descriptor = before.fileno()
        self.encoding = before.encoding
        self._descriptor: Final = descriptor
        self._real: Final = os.dup(descriptor)
        self._lock: Final = threading.RLock()
        self._line = self._unsent = b""
        self._lost = self._taken = self._passed = 0
        reader, self._pipe = os.pipe()
        os.set_blocking(self._pipe, False)
        if descriptor == _STDERR:
            os.dup2(self._pipe, descriptor)
        self._thread: Final = threading.Thread(
            target=self._pass_on, args=(reader,), name="output", daemon=True
        )
        self._thread.start()

    def isatty(self) -> bool:
        """True if a terminal shows the output."""
        return os.isatty(self._real)

    def fileno(self) -> int:
        """Returns the file descriptor of the stream that it replaces."""
        return self._descriptor

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, text: str) -> int:
        """Sends whole lines; the rest waits for its end, or for `flush`."""
        with self._lock:
            self._line += text.encode(self.encoding, "backslashreplace")
            lines, end, self._line = self._line.rpartition(b"\n")
            self._put(lines + end)
        return len(text)

    def flush(self) -> None:
        """Sends a line without an end as well. Returns at once."""
        with self._lock:
            line, self._line = self._line, b""
            self._put(line)

    def finish(self, until: float) -> None:
        """Sends what waits, until a time of `time.monotonic`, and lets the thread end."""
        self.flush()
        while (self._unsent or self._lost) and time.monotonic() < until:
            time.sleep(_LOOK_S)
            self.flush()
        with self._lock:
            self._say_lost()
            if self._descriptor == _STDERR:
                os.dup2(self._real, self._descriptor)
            os.close(self._pipe)
            self._pipe = _CLOSED

    def join(self, seconds: float) -> None:
        """Waits until all is passed on, some seconds at most."""
        self._thread.join(seconds)

    def drain(self, seconds: float) -> None:
        """Waits until all that was printed is passed on, some seconds at most."""
        end = time.monotonic() + seconds
        while self._passed < self._taken and time.monotonic() < end:
            time.sleep(_LOOK_S)

    def _put(self, data: bytes) -> None:
        """Sends data as a whole, or counts them as lost."""
        self._unsent = self._sent(self._unsent)
        if self._unsent:
            self._lost += data.count(b"\n")
            return
        self._say_lost()
        self._unsent = self._sent(data)

    def _say_lost(self) -> None:
        lost, self._lost = self._lost, 0
        if lost:
            _say(f"{lost} lines were not printed, because nobody read them")

    def _sent(self, data: bytes) -> bytes:
        """Sends as much as there is room for; returns the rest."""
        with suppress(OSError):  # it is full, or finished
            while data:
                count = os.write(self._pipe, data)
                self._taken += count
                data = data[count:]
        return data

    # In the thread

    def _pass_on(self, reader: int) -> None:
        fault, last = 0, b"\n"
        with open(reader, "rb", 0) as pipe:
            while data := pipe.read(1 << 16):
                if fault and last != b"\n":
                    data = b"\n" + data  # ends the line that was cut
                try:
                    while data:
                        written = self._write(data)
                        last, data = data[written - 1 : written], data[written:]
                        self._passed += written
                    fault = 0
                except OSError as error:
                    if error.errno != fault:
                        fault = error.errno or 0
                        _say(f"cannot print: {error.strerror}; the program goes on")

    def _write(self, data: bytes) -> int:
        """Writes a part of the data, as soon as possible; returns its length."""
        try:
            return os.write(self._real, data)
        except BlockingIOError:  # another program has set the terminal so
            select.select([], [self._real], [])
            return os.write(self._real, data)


def drain() -> None:
    """Waits a moment for standard error to be read, before a process ends at once."""
    if isinstance(sys.stderr, _LiveStream):
        sys.stderr.drain(_DRAIN_S)


def _say(sentence: str) -> None:
    sys.stderr.write(f"cornerlight: {sentence}\n")


@contextmanager
def live_output() -> Iterator[None]:
    """Replaces standard output and standard error, unless somebody else has done so.

    A terminal that stops programs in the background when they print (`stty tostop`) does not
    stop this one.
    """
    before = {"stdout": sys.stdout, "stderr": sys.stderr}
    own = sys.__stdout__, sys.__stderr__
    streams = {
        name: _LiveStream(stream) for name, stream in before.items() if stream in own and stream
    }
    for name, stream in streams.items():
        setattr(sys, name, stream)
    if streams:
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        yield
    finally:
        end = time.monotonic() + _DRAIN_S
        for name, stream in streams.items():
            stream.finish(end)
            setattr(sys, name, before[name])
        for stream in streams.values():
            stream.join(max(0.0, end - time.monotonic()))
