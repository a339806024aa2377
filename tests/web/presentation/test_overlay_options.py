import pytest

from web.presentation.overlay_options import (
    FEATURED,
    OverlayOptions,
    WrongParameterError,
    options_of,
)


def test_without_parameters_everything_is_shown() -> None:
    assert options_of({}) == OverlayOptions()
    assert options_of({}, in_hall=True).table == FEATURED


def test_parameters_choose() -> None:
    parameters = {"parts": "names,score", "lang": "ja", "side": "left", "safe": "0", "delay": "90"}
    options = options_of(parameters)
    assert options == OverlayOptions(frozenset({"names", "score"}), "ja", "left", 0, 90)
    assert options_of({"table": "07"}, in_hall=True).table == "7"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("parts", "names,hints"),
        ("parts", ""),
        ("parts", ","),
        ("lang", "fr"),
        ("side", "top"),
        ("safe", "11"),
        ("safe", "-1"),
        ("safe", "٣"),
        ("delay", "3601"),
        ("delay", "1e3"),
        ("delay", "9" * 5000),
        ("delay", ""),
        ("table", "seven"),
    ],
)
def test_a_wrong_value_is_refused(name: str, value: str) -> None:
    with pytest.raises(WrongParameterError) as refused:
        options_of({name: value}, in_hall=True)
    assert refused.value.name == name
    assert refused.value.value == value
    assert refused.value.allowed


@pytest.mark.parametrize("name", ["table", "hints", "Parts"])
def test_an_unknown_parameter_is_refused_with_those_that_exist(name: str) -> None:
    with pytest.raises(WrongParameterError) as refused:
        options_of({name: "7"})
    assert refused.value.value is None
    assert "delay" in refused.value.allowed
