"""A library that the player lacks is told, and is no fault."""

from importlib import metadata

import pytest

from firmware.commands.checks.program import check_player
from firmware.errors import install_command


def test_a_player_without_its_library_is_told_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    assert install_command("numba") not in check_player().found

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    check = check_player()
    assert check.fine is True
    assert check.found.endswith(install_command("numba"))
