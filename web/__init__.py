"""The score page: a library of its own that imports nothing of ours.

Its word to the rest of the house is `web.contract`: what is shown and what is asked.
"""
