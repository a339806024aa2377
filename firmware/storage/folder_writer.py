"""Writes files of a folder in a thread of its own, so that a slow disk holds nobody up.

Everything is written in the order in which it came. The first fault ends the writing for good:
little space, a refusal of the disk, or a disk so slow that too much waits.
"""

import errno
import logging
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from firmware.storage.atomic_file import PRIVATE
from vision.camera import Image
from vision.io.image_file import encode_png

LEAST_FREE: Final = 500_000_000
"""Bytes that stay free on the disk: the journal, the archive and the system itself need some, and
a system whose disk is full may not start again."""

_CHECK_S: Final = 2.0
"""Seconds between two looks at the free space. A camera that sends 20 MB a second, the most that
SD cards take, writes a twelfth of `LEAST_FREE` meanwhile."""

_MOST_WAITING: Final = 64_000_000
"""Bytes that may wait for the disk. A camera with 10 JPEGs of 300 kB a second fills them in 21 s,
which is longer than SD cards stall; pixels of 1640x1232 in 1 s."""

_CLOSE_S: Final = 10.0
"""Seconds for which `close` waits for the disk."""

_private: Final = partial(os.open, mode=PRIVATE)
"""Creates a file for its owner only: pictures show people and their room."""

_log = logging.getLogger(__name__)


class FolderWriter:
    """Writes files of one folder.

    Args:
        folder: an existing folder.
        least_free: bytes that stay free on its disk.
        patience_s: seconds for which a call waits for room, before the disk counts as too slow. A
            table in real time has none.

    Attributes:
        fault: reason that nothing more is written, a clause; empty while all is well.
    """

    def __init__(self, folder: Path, least_free: int = LEAST_FREE, patience_s: float = 0.0) -> None:
        self.fault = ""
        self._folder: Final = folder
        self._least_free: Final = least_free
        self._patience_s: Final = patience_s
        self._checked_s = float("-inf")
        self._changed: Final = threading.Condition()
        self._waiting: Final[deque[tuple[int, Callable[[], None]]]] = deque()
        self._bytes = 0
        self._closing = False
        self._thread: Final = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    def append(self, name: str, line: str) -> None:
        """Adds a line to a text file, all of it or nothing."""
        content = f"{line}\n".encode()
        self._put(len(content), lambda: self._append(self._folder / name, content))

    def write(self, name: str, content: bytes | Image) -> None:
        """Writes a file; pixels become a PNG."""
        size = content.nbytes if isinstance(content, np.ndarray) else len(content)
        self._put(size, lambda: self._write(self._folder / name, content))

    def close(self) -> None:
        """Writes what waits, and ends the thread; further calls do nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_CLOSE_S)
        if self._thread.is_alive():
            self._end("the disk is too slow")

    def _put(self, size: int, job: Callable[[], None]) -> None:
        with self._changed:
            room = self._changed.wait_for(lambda: self._has_room(size), self._patience_s)
            if not room:
                self._end("the disk is too slow")
            if not self.fault:
                self._bytes += size
                self._waiting.append((size, job))
                self._changed.notify_all()

    def _has_room(self, size: int) -> bool:
        return bool(self.fault) or not self._waiting or self._bytes + size <= _MOST_WAITING

    def _end(self, fault: str) -> None:
        with self._changed:
            if not self.fault:
                self.fault = fault
                self._waiting.clear()
                _log.error(
                    "nothing more is recorded in %s: %s; the game goes on", self._folder, fault
                )

    # In the thread

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                size, job = self._waiting[0]
            try:
                self._check_space()
                job()
            except OSError as error:
                self._end(error.strerror or str(error))
            except Exception:  # noqa: BLE001, a recording that fails must not end the game
                _log.exception("the recording has failed")
                self._end("it has failed; see above")
            with self._changed:
                self._bytes -= size
                if self._waiting:
                    self._waiting.popleft()
                self._changed.notify_all()

    def _check_space(self) -> None:
        """Looks at the free space every `_CHECK_S`.

        Raises:
            OSError: there is too little, or the disk does not answer.
        """
        now = time.monotonic()
        if now - self._checked_s < _CHECK_S:
            return
        self._checked_s = now
        if shutil.disk_usage(self._folder).free < self._least_free:
            megabytes = self._least_free // 1_000_000
            raise OSError(errno.ENOSPC, f"less than {megabytes} MB are free on its disk")

    def _write(self, path: Path, content: bytes | Image) -> None:
        data = encode_png(content) if isinstance(content, np.ndarray) else content
        try:
            with open(path, "wb", opener=_private) as file:
                file.write(data)
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise

    def _append(self, path: Path, content: bytes) -> None:
        with open(path, "ab", 0, opener=_private) as file:
            end = file.tell()
            if file.write(content) < len(content):
                file.truncate(end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
