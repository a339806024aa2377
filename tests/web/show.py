"""Serves one example page, to be looked at: python -m tests.web.show refused 8123 [JPEG]."""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.feed import Feed
from tests.web import examples
from web.app import create_app
from web.link import Link
from web.server import Server

if __name__ == "__main__":
    name, port, pictures = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.sock"
        with Feed(path) as feed, Link(path) as link:
            feed.publish(replace(examples.ALL[name](), pictures=bool(pictures)))
            for picture in pictures:
                feed.publish_picture(Path(picture).read_bytes())
            Server(create_app(link), "127.0.0.1", port).run()
