"""The image: what is taken, what is refused, and the entry in the list of Imager."""

import hashlib
import json
import lzma
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import which
from types import SimpleNamespace
from typing import Any

import image
import pytest
from image import (
    ImageError,
    addresses,
    check_system,
    fetched,
    forget,
    imager_list,
    main,
    partitions,
    unpacked,
)

from tests.conftest import ROOT
from tests.support.imager_list import faults
from tests.support.serving import serving

PI = {
    "label": "dos",
    "partitions": [
        {"start": 16384, "size": 1048576, "type": "c"},
        {"start": 1064960, "size": 4620288, "type": "83"},
    ],
}
"""Partitions of Raspberry Pi OS Lite, in sectors."""

FACTS: dict[str, str | int] = {
    **addresses(Path("/out/cornerlight-1.2.0-lite.img.xz"), "1.2.0", "someone/cornerlight"),
    "extract_size": 4_000_000_000,
    "extract_sha256": "0" * 64,
    "image_download_size": 900_000_000,
    "release_date": "2030-01-01",
}


def printed(table: dict[str, Any]) -> str:
    return json.dumps({"partitiontable": table})


def test_the_partitions_of_raspberry_pi_os_are_found_in_bytes() -> None:
    assert partitions(printed(PI)) == [(8 << 20, 512 << 20), (520 << 20, 2256 << 20)]


@pytest.mark.parametrize(
    "table",
    [
        {},
        {**PI, "label": "gpt"},
        {**PI, "partitions": PI["partitions"][:1]},
        {**PI, "partitions": [*PI["partitions"], PI["partitions"][1]]},
    ],
)
def test_other_partitions_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ImageError, match=r"no image of Raspberry Pi OS, 64 bit.* IMAGE="):
        partitions(printed(table) if table else "{}")


def sha256_line(content: bytes) -> bytes:
    return f"{hashlib.sha256(content).hexdigest()}  pi.img.xz\n".encode()


def test_an_image_is_taken_with_its_checksum_only(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    source = tmp_path / "pi.img.xz"
    source.write_bytes(b"packed")
    with pytest.raises(ImageError, match=r"\.sha256 cannot be fetched: .*; name another"):
        fetched(str(source), tmp_path / "to")
    sums = tmp_path / "pi.img.xz.sha256"
    sums.write_bytes(sha256_line(b"other"))
    with pytest.raises(ImageError, match=r"is not the image of its checksum .*fetch it again"):
        fetched(str(source), tmp_path / "to")
    sums.write_bytes(sha256_line(b"packed"))
    assert fetched(str(source), tmp_path / "to").read_bytes() == b"packed"
    assert fetched(source.as_uri(), tmp_path / "to").read_bytes() == b"packed"


def test_the_newest_image_has_the_checksum_of_the_one_it_leads_to(tmp_path: Path) -> None:
    """The official address is a redirection, and has no checksum of its own."""
    bodies = {"/pi.img.xz": b"packed", "/pi.img.xz.sha256": sha256_line(b"packed")}

    class Downloads(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = bodies.get(self.path)
            self.send_response(302 if self.path == "/latest" else 200 if body else 404)
            self.send_header("Location", "/pi.img.xz")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *words: object) -> None:
            """Says nothing."""

    with serving(HTTPServer(("127.0.0.1", 0), Downloads)) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        assert fetched(f"{address}/latest", tmp_path).read_bytes() == b"packed"
        with pytest.raises(ImageError, match=r"HTTP Error 404.*; name another one with IMAGE="):
            fetched(f"{address}/other", tmp_path)


def test_without_the_rights_of_root_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main([]) == 1
    assert "needs the rights of root; run it with sudo" in capsys.readouterr().err


def test_without_programs_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(image, "check", lambda: None)
    monkeypatch.setattr("shutil.which", lambda name: None if name == "mcopy" else name)
    assert main([]) == 1
    assert capsys.readouterr().err == (
        "image: programs are missing; run: sudo apt-get install mtools\n"
    )


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A packed file that is no image."""
    path = tmp_path / "image.xz"
    path.write_bytes(lzma.compress(bytes(1 << 20)))
    return path


def test_an_image_that_the_disk_has_no_room_for_is_not_unpacked(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1_200_000_000))
    with pytest.raises(ImageError, match=r"1\.3 GB are needed in .*, and 1\.2 are free; make room"):
        unpacked(packed, packed.with_name("image"))
    assert not packed.with_name("image").exists()


@pytest.mark.skipif(which("sfdisk") is None, reason="sfdisk is not installed: make programs")
def test_what_is_no_image_is_refused(packed: Path) -> None:
    with pytest.raises(ImageError, match="its partitions are others; name one of"):
        unpacked(packed, packed.with_name("image"))
    packed.write_bytes(b"text")
    with pytest.raises(ImageError, match="it is not packed by xz; name one of"):
        unpacked(packed, packed.with_name("image"))


def test_a_system_for_another_processor_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="its programs are for another processor"):
        check_system(tmp_path)
    dash = tmp_path / "usr" / "bin" / "dash"
    dash.parent.mkdir(parents=True)
    for width, machine, why in ((2, 0x3E, "processor"), (1, 0x28, "processor"), (2, 0xB7, "issue")):
        dash.write_bytes(b"\x7fELF" + bytes([width]) + bytes(13) + bytes([machine, 0]) + b"more")
        with pytest.raises(ImageError, match=f"{why}; name one of Raspberry Pi OS Lite, 64 bit"):
            check_system(tmp_path)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "rpi-issue").touch()
    check_system(tmp_path)


def test_what_belongs_to_one_machine_is_forgotten(tmp_path: Path) -> None:
    gone = ("etc/ssh/ssh_host_rsa_key", "home/pi/.bash_history", "var/cache/apt/pkgcache.bin")
    stays = ("etc/ssh/sshd_config", "home/pi/.bashrc", "var/lib/apt/lists/trixie")
    for name in (*gone, *stays, "var/log/apt/history.log", "etc/machine-id"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    forget(tmp_path)
    assert not any((tmp_path / name).exists() for name in gone)
    assert all((tmp_path / name).read_text() == "text" for name in stays)
    assert (tmp_path / "var/log/apt/history.log").read_text() == ""
    assert (tmp_path / "etc/machine-id").read_text() == "uninitialized\n"


def test_imager_takes_the_list_of_a_release() -> None:
    listed = imager_list("1.2.0", FACTS)
    assert faults(listed) == []
    (system,) = listed["os_list"]
    assert system["url"] == (
        "https://github.com/someone/cornerlight/releases/download/v1.2.0/"
        "cornerlight-1.2.0-lite.img.xz"
    )
    assert system["icon"].endswith("/someone/cornerlight/v1.2.0/web/static/icon.svg")


def test_a_list_without_devices_or_sizes_would_be_found() -> None:
    listed = imager_list("1.2.0", FACTS)
    assert faults({"os_list": listed["os_list"]}) != []
    (system,) = listed["os_list"]
    for name in ("extract_size", "devices"):
        assert faults({**listed, "os_list": [{**system, name: "many"}]}) != []
    assert faults({**listed, "os_list": [{**system, "init_format": "cloud"}]}) != []


def test_the_list_of_an_image_made_here_names_files_here() -> None:
    here = addresses(Path("/out/x.img.xz"), "1.2.0", "")
    assert here["url"] == "file:///out/x.img.xz"
    assert Path(here["icon"].removeprefix("file://")) == ROOT / "web" / "static" / "icon.svg"
