"""Responses are compressed for browsers that accept gzip, with the same content."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.conftest import ROOT
from tests.support import example_pages
from web.app import create_app
from web.compression import HEADER, deflated, stored
from web.table_client import TableClient

SMALL = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def link(tmp_path: Path) -> Iterator[TableClient]:
    link = TableClient(tmp_path / "table.sock")
    link.hear(example_pages.classic_middle())
    yield link
    link.close()


@pytest.fixture
def client(link: TableClient) -> FlaskClient:
    return create_app(link, streams=2).test_client()


def test_blocks_in_any_order_are_one_stream() -> None:
    long = bytes(range(256)) * 100
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    parts = [(stored, b"data: "), (deflated, long), (stored, b"\n\n"), (deflated, long)]
    assert unpacker.decompress(HEADER) == b""
    for pack, data in parts:
        assert unpacker.decompress(pack(data)) == data, "each is there at once"
    with pytest.raises(ValueError, match="at most 65535 bytes, not 65536"):
        stored(bytes(1 << 16))


@pytest.mark.parametrize(
    "path", ["/", "/page.json", "/fragments.json", "/static/style.css", "/static/live.js"]
)
def test_a_whole_answer_goes_out_small_where_it_is_wanted(client: FlaskClient, path: str) -> None:
    with client.get(path) as plain, client.get(path, headers=SMALL) as small:
        assert "Content-Encoding" not in plain.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 2
        for answer in (plain, small):
            assert "Accept-Encoding" in answer.headers["Vary"]
        assert gzip.decompress(small.data).split()[-3:] == plain.data.split()[-3:]
        same = {**SMALL, "If-None-Match": small.headers.get("ETag", "")}
    if path.startswith("/static"):
        with client.get(path, headers=same) as again:
            assert again.status_code == 304


def test_files_go_out_without_comments_and_indents(client: FlaskClient) -> None:
    for path, own in (("/static/live.js", b'"use strict";'), ("/static/style.css", b".board {")):
        with client.get(path, headers=SMALL) as small:
            text = gzip.decompress(small.data)
        assert own in text
        assert b"/*" not in text
        assert b" // " not in text
        assert not any(line.startswith((b" ", b"//")) for line in text.splitlines())


@pytest.mark.parametrize(
    "script", sorted((ROOT / "web" / "static").glob("*.js")), ids=lambda one: one.name
)
def test_two_slashes_between_spaces_begin_a_comment(script: Path) -> None:
    lines = [line for line in script.read_text().splitlines() if line.strip()[:2] != "//"]
    comments = [line.partition(" // ")[2] for line in lines]
    assert [one for one in comments if set(one) & set("\"'`")] == []


def test_small_answers_and_pictures_are_left_alone(client: FlaskClient) -> None:
    for path in ("/live.jpg", "/static/icon.svg"):
        with client.get(path, headers=SMALL) as answer:
            assert "Content-Encoding" not in answer.headers


def test_a_small_stream_says_what_the_plain_one_does(
    link: TableClient, client: FlaskClient
) -> None:
    contents = []
    for headers in ({}, SMALL):
        with client.get("/events", headers=headers, buffered=False) as answer:
            unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
            text = b""
            parts = answer.iter_encoded()
            while text.count(b"\n\n") < 2:
                part = next(parts)
                text += unpacker.decompress(part) if headers else part
            link.hear(replace(example_pages.classic_middle(), revision=link.news.serial + 500))
            while text.count(b"\n\n") < 3:
                part = next(parts)
                text += unpacker.decompress(part) if headers else part
            assert answer.headers.get("Content-Encoding") == ("gzip" if headers else None)
        contents.append([line.partition(b"fragments")[2] for line in text.split(b"\n\n")])
    assert contents[0] == contents[1]
    assert b"board" in contents[0][1]
