"""The contract of the page: all messages between the table and the score page.

The table sends a `Page` after each change, and a `LivePicture` when the camera has one. A Page
contains all that is drawn, so that this library needs no shapes and no rules. People send a
`CommandRequest`, and the table replies to each; `PairedPhones` lists the phones that may send
one. Players take seats as `PlayRequest`, and at a simulated table send gestures so; what else
happens at a table, alone or in a hall, is `ClubTable` and `ClubRequest`. A message of another
version or form is refused with an error of one sentence. The layers, each knowing only those above
it:

    codes         codes used in pages and in commands
    schema        frozen dataclasses to JSON and back, checked
    arbiter_page  the part of the page for arbiters alone
    puzzle_page   the part of the page for a puzzle
    game_folder   the folder of a stored game: its names, its files
    page          all that is shown of a game at one moment
    review        the review of a stored game, a file with a version of its own
    person_names  names of people: what is kept of them, and which look alike
    commands      all commands that a paired phone can send
    requests      commands, pairing, and the table's replies
    play          a simulated table that people play at: pieces, seats, gestures
    club          a table besides its game: call of the arbiter, the hall, its matches
    framing       messages on the wire: a header and a body; the address
"""

from firmware.codec import ContractError as ContractError
from firmware.codes import *
from vision.errors import BoardFailure as BoardFailure
from vision.setup.rating import Rating as Rating
from web.contract.arbiter_page import *
from web.contract.club import *
from web.contract.codes import *
from web.contract.commands import *
from web.contract.framing import *
from web.contract.page import *
from web.contract.person_names import *
from web.contract.play import *
from web.contract.puzzle_page import *
from web.contract.requests import *
from web.contract.schema import *
