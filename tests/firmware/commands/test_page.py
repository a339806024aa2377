"""`page`: visitors, and the table that it serves."""

import json

import pytest

from firmware.commands import page
from firmware.commands.main import main
from firmware.commands.page import _VisitorReport


def test_the_first_request_from_another_machine_is_reported_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(page, "is_own", {"127.0.0.1", "192.168.1.5"}.__contains__)
    visitors = _VisitorReport()
    visitors("127.0.0.1")
    visitors("192.168.1.5")
    assert capsys.readouterr().out == ""
    visitors("192.168.1.6")
    visitors("192.168.1.7")
    assert json.loads(capsys.readouterr().out) == {"visited": True}


@pytest.mark.parametrize("text", ["{", "[1]", '"text"'])
def test_settings_that_are_no_object_are_refused(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["page", "--settings", text])
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_of_games_that_is_a_file_is_refused_before_anything_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["page", "--port", "0", "--games", "/dev/null"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "cornerlight: /dev/null is no folder; name one with --games\n"
