"""Exit codes."""

import pytest

from circuit_export.cli.results import Result, exit_code


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ([], 3),
        ([Result.FINE], 0),
        ([Result.FINE, Result.WRONG], 1),
        ([Result.WRONG, Result.USAGE, Result.FINE], 2),
        ([Result.FINE, Result.NOTHING], 0),
    ],
)
def test_the_worst_result_wins(results: list[Result], code: int) -> None:
    assert exit_code(results) == code
