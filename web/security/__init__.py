"""Security: checks of requests, and limits of their number.

rate_limit     limits of requests and of guesses
known_phones   paired phones, as far as the page knows
request_guard  names we answer to, headers of answers, checks of changes
"""
