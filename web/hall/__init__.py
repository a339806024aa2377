"""The hall: pages of a tournament at many tables, for its organiser and for spectators.

Of `firmware` it knows the tournament alone; the hall's process implements `backend`.

    page       all that the pages of a hall show
    commands   all that organisers can ask for, and the replies
    backend    the hall's process as the pages use it
    forms      from a submitted form to a command
    rows       rows of the organiser's lists, in order and with sentences
    screens    screens as fragments, rendered once for all who see the same
    organiser_screens  the organiser's screens
    history    the games at the tables as they were some time ago
    boards     the games at the tables, for spectators and overlays
    spectator_screens  the screens of spectators
    context    objects that all routes share
    streams    routes of the changes
    organiser  the organiser's routes
    spectators  the routes for everybody
    app        the pages as a Flask application
"""
