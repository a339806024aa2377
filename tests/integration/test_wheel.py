"""The wheel contains every file of the packages, and its metadata is right."""

from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest
from release import PACKAGES, own_wheel

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

NOT_PACKED = {".po", ".md"}
"""Suffixes of sources of other files, and of documents."""


def test_the_wheel_has_every_file_of_the_packages(tmp_path: Path) -> None:
    with ZipFile(own_wheel(tmp_path)) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
        (about,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        metadata = message_from_bytes(wheel.read(about))
    files = {
        str(path.relative_to(ROOT))
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
        if path.suffix not in NOT_PACKED
    }
    assert packed == files
    assert {f"{name}/py.typed" for name in PACKAGES} <= packed
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])
    assert metadata["Requires-Python"] == ">=3.11"
