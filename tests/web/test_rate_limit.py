import pytest

from web.rate_limit import GuessLimiter, RateLimiter, network_of, sender_of

ADDRESSES = [f"10.0.{n // 250}.{n % 250}" for n in range(1000)]


def test_a_burst_is_answered_and_then_so_many_a_second() -> None:
    rates = RateLimiter(burst=5, per_s=2.0)
    assert [rates.allow("a", 10.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [rates.allow("a", 11.0) for _ in range(3)] == [True, True, False]


def test_a_thousand_senders_do_not_use_up_what_another_one_has() -> None:
    rates = RateLimiter(burst=5, per_s=1.0)
    for _ in range(100):
        for address in ADDRESSES:
            rates.allow(address, 0.0)
    assert rates.allow("192.168.1.7", 0.0)


def test_only_so_many_senders_are_remembered() -> None:
    rates = RateLimiter(burst=1, per_s=0.0)
    for n in range(10_000):
        rates.allow(str(n), 0.0)
    assert len(rates._buckets) <= 4096


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_an_address_counts_for_its_network(address: str, network: str) -> None:
    assert network_of(address) == network


def test_this_machine_is_not_limited_and_others_are() -> None:
    assert not any(map(sender_of, ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1")))
    assert sender_of("::ffff:10.0.0.1") == sender_of("10.0.0.1") == "10.0.0.1"
    assert sender_of("2001:db8:1:2::1") == sender_of("2001:db8:1:2::2") == "2001:db8:1:2::/64"


def test_no_more_numbers_are_looked_at_than_the_odds_allow() -> None:
    guesses, seconds = GuessLimiter(), 20
    looked_at = sum(
        guesses.allow(f"{address} of {second}", second)
        for second in range(seconds)
        for address in ADDRESSES
    )
    assert 0.9 * GuessLimiter.PER_S * seconds < looked_at <= GuessLimiter.PER_S * (seconds + 1)
    assert 2 * GuessLimiter.PER_S * 86_401 / 10**12 < 1e-4


def test_somebody_who_types_is_looked_at_whoever_guesses_from_a_thousand_addresses() -> None:
    guesses, refused = GuessLimiter(), []
    for second in range(600):
        for address in ADDRESSES:
            guesses.allow(address, second)
        if second % 60 == 59:
            refused += [not guesses.allow("192.168.1.7", second) for _ in range(3)]
    assert not any(refused)


def test_at_the_start_of_an_attack_somebody_who_types_waits_for_seconds_at_most() -> None:
    guesses = GuessLimiter()
    for second in range(13):
        for address in ADDRESSES:
            guesses.allow(address, second)
    assert guesses.allow("192.168.1.7", 13)
