"""Which phones may speak as arbiter, as far as the page knows. The table alone decides.

The table tells the page the fingerprints of all paired tokens, at once and after every change
(`web.contract.PairedPhones`). The page keeps no list of its own. From this follows:

- A phone is known when the table has named its token, and never by any other answer of the
  table, by an answer that came late, or by none.
- While the table is away nobody is known. A phone with a token is asked to wait; it gets the
  page for watchers, but nothing that is for arbiters.
- A phone that was unpaired, or that `cornerlight pair --forget` has forgotten, is unknown within
  a second: its stream ends, and pictures are refused.
- A made-up token costs one look into a list. It never reaches the table.

The page only shows and hands on. The table checks the token of each command itself, so a page
that is wrong about a phone can show it too much, but cannot do anything in its name.
"""

import re
from typing import Final

from flask import request
from werkzeug.http import parse_cookie

from web.table_client import TableClient, TableSnapshot

PAIRING_COOKIE: Final = "pairing"

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class KnownPhones:
    """Tells the phones that the table knows from all others.

    Args:
        link: to the table.
    """

    def __init__(self, link: TableClient) -> None:
        self._link: Final = link

    @property
    def token(self) -> str:
        """The token of the phone that sent this request; empty if it has none."""
        return _well_formed(request.cookies.get(PAIRING_COOKIE, ""))

    def is_known(self) -> bool:
        """Whether the table knows the phone that sent this request."""
        return knows(self._link.news, self.token)

    def is_undecided(self) -> bool:
        """Whether the phone has a token that nobody can judge, as the table is away."""
        return bool(self.token) and self._link.news.phones is None

    def knows_cookies(self, header: str) -> bool:
        """Whether a `Cookie` header is of a phone that the table knows."""
        return knows(self._link.news, _well_formed(parse_cookie(header).get(PAIRING_COOKIE, "")))


def knows(news: TableSnapshot, token: str) -> bool:
    """Whether the table knew a token when it told this news."""
    return bool(token) and news.phones is not None and news.phones.knows(token)


def _well_formed(token: str) -> str:
    return token if _TOKEN.fullmatch(token) else ""
