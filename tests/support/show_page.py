"""Serves one example page for inspection; the number 1234 5678 9012 pairs a phone.

python -m tests.support.show_page refused 8123 [--picture JPEG] [--games FOLDER]
"""

import argparse
import threading
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.commands.mounting_text import usual_mountings
from firmware.session.feed_server import FeedServer
from tests.support import example_pages
from tests.support.turning_feed import TurningFeed
from web.app import ProgramFacts, create_app
from web.contract import PairRequest, PictureAudience, Reply
from web.server import Server
from web.table_client import TableClient


def agree(feed: FeedServer) -> None:
    """Confirms every request."""
    while True:
        for request in feed.take_requests():
            token = (
                example_pages.TOKEN
                if isinstance(request.message, PairRequest) and request.message.number
                else ""
            )
            feed.answer(request.who, Reply(request.message.id, token=token))
        time.sleep(0.05)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.support.show_page")
    parser.add_argument("name", choices=example_pages.ALL)
    parser.add_argument("port", type=int)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--games", type=Path)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.sock"
        with TurningFeed(path) as feed, TableClient(path) as link:
            page = example_pages.ALL[chosen.name]()
            shown = PictureAudience.PAIRED if chosen.picture else PictureAudience.NOBODY
            feed.publish(replace(page, pictures=shown))
            feed.publish_phones(example_pages.PHONES)
            if chosen.picture is not None:
                feed.publish_picture(chosen.picture.read_bytes())
            app = create_app(
                link,
                games=chosen.games,
                everybody_sees_evidence=True,
                facts=ProgramFacts(mountings=usual_mountings()),
            )
            threading.Thread(target=agree, args=(feed,), daemon=True).start()
            Server(app, "127.0.0.1", chosen.port).run()
