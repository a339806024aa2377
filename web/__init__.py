"""The score page. Of `firmware` and `vision` it imports their words alone, so it stays small.

Its interface to the other packages is `web.contract`: pages to show and commands to the table.

    contract      messages between the table and the score page
    i18n          texts in each viewer's language
    bounded_map   a dictionary with a bounded number of entries
    compression   gzip compression of responses and streams
    table_client  client of the socket to the table
    doubt_picture  picture that belongs to an open question of the table
    game_archive  past games, read from the table's folder
    people        people whose names stand in past games: figures, mistakes
    rate_limit    limits of the rate of changes and of checked numbers
    known_phones  paired phones, by the list that the table sends
    request_guard  checks of every request; headers of responses
    presentation  from a page to markup, drawings and pictures
    views         the routes of the page
    app           the score page as a Flask application
    hall          pages of a hall of many tables
    listening     the socket on which the page listens
    connections   limits of the connections of an address
    server        the waitress server of the page
"""
