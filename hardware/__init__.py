"""Three tables that a person can build, drawn by programs: parts, wiring, pictures.

parts  parts of all builds as code, their files, and where each stands when assembled
"""
