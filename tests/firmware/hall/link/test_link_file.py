"""Files of a table's hall: private, whole or refused, and one share at a time."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.errors import CornerlightError, UnreadableError
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.messages import TableResults
from tests.firmware.hall.link.test_invitation import INVITATION
from tests.firmware.hall.link.test_messages import RESULT


def test_a_hall_is_stored_for_its_owner_alone(tmp_path: Path) -> None:
    link = LinkFile(tmp_path)
    assert link.read() is None
    assert link.stamp is None
    link.write(INVITATION)
    assert link.read() == INVITATION
    assert (tmp_path / "hall.json").stat().st_mode & 0o777 == 0o600
    first = link.stamp
    link.write(replace(INVITATION, table="08"))
    assert link.stamp != first
    link.remove()
    assert link.read() is None
    link.remove()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"5", b"{}", b'{"invitation":5}', b"\xff", b"[" * 9999]
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "hall.json").write_bytes(content)
    with pytest.raises(UnreadableError, match="join the hall again"):
        LinkFile(tmp_path).read()


def test_what_was_left_is_that_of_one_hall_and_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    link = LinkFile(tmp_path)
    left = TableResults((RESULT,))
    assert link.left(INVITATION) == TableResults(())
    link.write_left(INVITATION, left)
    assert link.left(INVITATION) == left
    assert link.left(replace(INVITATION, host="other.local")) == left
    for other in (
        replace(INVITATION, table="08"),
        replace(INVITATION, hall="autumn"),
        replace(INVITATION, fingerprint="b6" * 32),
    ):
        assert link.left(other) == TableResults(())
    assert caplog.text == ""
    (tmp_path / "hall-left.json").write_text("{")
    assert link.left(INVITATION) == TableResults(())
    assert "type those into the hall that it does not show" in caplog.text


def test_a_folder_that_takes_no_file_is_one_sentence(tmp_path: Path) -> None:
    link = LinkFile(tmp_path / "none")
    with pytest.raises(UnreadableError, match="cannot write"):
        link.write(INVITATION)
    with pytest.raises(UnreadableError, match="cannot write"), link.only_one():
        pass


def test_only_one_share_connects_a_table(tmp_path: Path) -> None:
    first, second = LinkFile(tmp_path).only_one(), LinkFile(tmp_path).only_one()
    with first, pytest.raises(CornerlightError, match="another share"), second:
        pass
    with LinkFile(tmp_path).only_one():
        pass
