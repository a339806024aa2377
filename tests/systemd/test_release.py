"""The locks, as the release resolves them for other machines than this one."""

import pytest
from packaging.requirements import Requirement
from release import LOCKS, PYTHONS, locked

from tests.conftest import ROOT

LOCK = """# a comment
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via cornerlight
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:cc
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:dd
flask==3.1.3 \\
    --hash=sha256:ee
"""


def test_a_lock_is_resolved_for_the_machine_of_the_release() -> None:
    assert locked(LOCK, "aarch64", "3.11") == [
        "numpy==2.4.6 --hash=sha256:aa --hash=sha256:bb",
        "flask==3.1.3 --hash=sha256:ee",
    ]
    assert locked(LOCK, "aarch64", "3.13") == [
        "numpy==2.5.5 --hash=sha256:cc",
        "flask==3.1.3 --hash=sha256:ee",
    ]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("machine", LOCKS)
def test_the_locks_of_a_machine_agree_on_every_version(machine: str, python: str) -> None:
    versions: dict[str, set[str]] = {}
    for lock in LOCKS[machine]:
        for line in locked((ROOT / lock).read_text("utf-8"), machine, python):
            assert " --hash=sha256:" in line
            wanted = Requirement(line.partition(" --hash")[0])
            versions.setdefault(wanted.name, set()).add(str(wanted.specifier))
    assert {"flask", "numba", "opencv-python-headless"} <= set(versions)
    assert all(len(chosen) == 1 for chosen in versions.values())
