from web.rates import Delays, Rates


def test_a_burst_is_answered_and_then_so_many_a_second() -> None:
    rates = Rates(burst=5, per_s=2.0)
    assert [rates.allow("a", 10.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [rates.allow("a", 11.0) for _ in range(3)] == [True, True, False]


def test_one_address_does_not_use_up_what_another_has() -> None:
    rates = Rates(burst=5, per_s=1.0, everybody=2)
    for _ in range(100):
        rates.allow("flood", 0.0)
    assert rates.allow("quiet", 0.0)


def test_many_addresses_together_are_limited() -> None:
    rates = Rates(burst=5, per_s=1.0, everybody=2)
    assert sum(rates.allow(f"10.0.{n}", 0.0) for n in range(50)) == 10


def test_only_so_many_addresses_are_remembered() -> None:
    rates = Rates(burst=1, per_s=0.0, everybody=10**6)
    for n in range(5000):
        rates.allow(str(n), 0.0)
    assert len(rates._buckets) <= 1024
    delays = Delays()
    for n in range(5000):
        delays.wrong(str(n), 0.0)
    assert len(delays._tries) <= 1024


def test_delays_after_wrong_numbers_grow_for_an_address() -> None:
    delays, now, waits = Delays(), 0.0, []
    for _ in range(12):
        delays.wrong("a", now)
        waits.append(delays.wait_s("a", now))
        now += waits[-1]
    assert waits[:2] == [0.0, 0.0]
    assert waits[2:6] == [2.0, 4.0, 8.0, 16.0]
    assert waits[-1] == Delays.LONGEST_S


def test_guessing_from_many_addresses_is_slowed_but_locks_nobody_out_for_long() -> None:
    delays = Delays()
    for n in range(1000):
        delays.wrong(str(n), 0.0)
    assert delays.wait_s("somebody else", 0.0) == Delays.LONGEST_FOR_ALL_S


def test_a_right_number_clears_the_address() -> None:
    delays = Delays()
    for _ in range(8):
        delays.wrong("a", 0.0)
    delays.right("a")
    assert delays.wait_s("a", 10.0) == 0.0
