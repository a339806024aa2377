"""What `cornerlight bench` measures: one module a part, each with `measure() -> Rows`.

Speed and memory on this machine, nothing that needs another program, a network or an hour;
long trials live with the tests.
"""
