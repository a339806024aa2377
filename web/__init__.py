"""The score page: a library of its own that imports nothing of ours.

Its word to the rest of the house is `web.contract`: what is shown and what is asked.

    contract      the vocabulary between the table and the score page
    i18n          words and sentences in each viewer's language
    compression   answers made smaller for browsers that know gzip
    table_client  the page's side of the socket to the table
    game_archive  past games, read from the folder of the table
    security      checks of requests, and limits of their number
    presentation  from a page to markup, drawings and pictures
    views         the routes of the page
    app           the score page as a Flask application
    connections   the number of connections of an address
    server        the page served with waitress
"""
