"""A demo that runs in a process of its own, as people start it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conftest import ROOT

SOURCE = (sys.executable, "-m", "firmware")
"""The program of this checkout."""


@contextmanager
def running_demo(
    *words: str,
    program: Sequence[str] = SOURCE,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Runs `demo` at a free port; yields the address of its page, with no slash at the end."""
    command = [*program, "demo", "--port", "0", "--no-browser", *words]
    with (
        TemporaryDirectory() as state,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            cwd=cwd,
            env={**(os.environ if env is None else env), "XDG_STATE_HOME": state},
        ) as process,
    ):
        assert process.stdout is not None
        found = (re.search(r"http://localhost:\d+", line) for line in process.stdout)
        match = next(filter(None, found), None)
        assert match, "the demo said no address"
        try:
            yield match[0]
        finally:  # else a test that fails leaves it running
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
    assert process.returncode == 0
