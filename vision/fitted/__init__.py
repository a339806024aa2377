"""Constants that a command fits to pictures: `python -m tests.evaluation fitting`.

constants  their values, read from a table
"""
