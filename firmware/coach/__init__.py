"""Coaching: true statements about moves.

reasons   reasons for a move as codes, numbers and squares, and the rule which of them are given
"""
