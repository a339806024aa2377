"""Security: checks of requests and limits of their rate.

rate_limit     limits of requests and of guesses
known_phones   paired phones, by the list that the table sends
pairing_limits  limits of the numbers for pairing
request_guard  accepted host names, headers of responses, checks of changes
"""
