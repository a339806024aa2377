"""The process of the page is killed beside a running table: the page comes back, phones stay."""

import http.client
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.conftest import ROOT
from tests.support.phones import PagePhone
from tests.support.process_tree import children
from tests.support.running_table import pairing_number
from tests.support.waiting import eventually


def test_a_page_that_is_killed_comes_back_and_knows_its_phones(tmp_path: Path) -> None:
    words = ["run", "--camera", "http://127.0.0.1:9/video", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        [sys.executable, "-m", "firmware", *words, "--folder", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as table:
        assert table.stdout is not None
        try:
            lines = (re.search(r"http://localhost:(\d+)/", line) for line in table.stdout)
            phone = PagePhone(int(next(filter(None, lines))[1]), 1)
            phone.pair(pairing_number(tmp_path))
            phone.command("inspect")
            (page,) = children(table.pid)
            os.kill(page, signal.SIGKILL)

            def obeys() -> bool:
                with suppress(AssertionError, OSError, http.client.HTTPException):
                    phone.command("inspect")
                    return True
                return False

            eventually(lambda: children(table.pid) - {page}, 60.0)
            eventually(obeys, 60.0)
            table.terminate()
            _, errors = table.communicate(timeout=10)
        finally:
            table.kill()
    assert table.returncode == 0
    assert errors.count("the score page has ended") == 1
