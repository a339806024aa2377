"""The link between a table and its hall: messages over MQTT, and the table's side of them.

A table publishes its newest state under topics of its own, and reads the seat that the hall gives
it. All that matters is retained and replaced by the next message; nothing waits for an answer.
The layers, each knowing only those above it:

    topics     names of the topics of a hall
    messages   content of the messages, as JSON and back, with their greatest sizes
    invitation  the address by which a table joins
    invitation_reader  reads its QR code in a picture
    link_file  the hall that a table belongs to, and what it left there, on disk
    tls        trusts the authority of the hall alone, whatever the clock says
    mqtt       the connection to the broker, which holds the newest value of each topic
    summaries  messages of a table to its hall, made from its page
    share_token  the token of the program that connects a table
    matches    the match that a hall offers, who agrees to begin it, and its result
    invitation_watch  looks for an invitation under the camera
    hall_service  answers people at the table and the hall: calls, matches, results
    seat       requests of the hall, passed on to the table
    share      connects a table to its hall
"""
