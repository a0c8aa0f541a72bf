"""The protocol's official conformance suite, against the product and against the product with the suite's own tools.

The suite tests a server by calling tools of its own making. The fixture server has them and passes whatever counts for
a revision; the product has none, so what it cannot be asked is listed, check by check. Those lists only get shorter.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.listening import listening
from support.node import Node

SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
LISTS = Path(__file__).parents[1] / "conformance" / "mcp"
BAD = ("FAILURE", "WARNING")

LONGEST = {"product-2025-11-25": 26, "product-2026-07-28": 57, "fixture-2026-07-28": 25}
"""How many checks a list may name at most: it may shrink, and then this number does."""


class Outcome(NamedTuple):
    """What a run of the suite found: how many checks were good, and which were not."""

    code: int
    text: str
    good: int
    bad: list[str]
    scenarios: set[str]


def run_suite(node: Node, url: str, revision: str, folder: Path, expected: Path | None = None) -> Outcome:
    """Runs whatever a revision of the protocol demands of a server, and what the suite has beside that."""
    args = ["server", "--url", url, "--requirements", revision, "--output-dir", str(folder)]
    ended = node.run(SUITE, *args, *(["--expected-failures", str(expected)] if expected else []))
    good, bad, scenarios = 0, set[str](), set[str]()
    text = ended.text[max(0, ended.text.find("=== SUMMARY")) :]
    for file in sorted(folder.glob("*/checks.json")):
        named = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT.+", file.parent.name)
        assert named, file
        scenarios.add(named[1])
        for check in json.loads(file.read_text("utf-8")):
            good += check["status"] == "SUCCESS"
            if check["status"] in BAD:
                bad.add(f"{named[1]}:{check['id']}")
    return Outcome(ended.code, text, good, sorted(bad), scenarios)


def listed(name: str) -> list[str]:
    """The checks that a list names, as the suite reads it."""
    lines = (LISTS / f"{name}.yml").read_text("utf-8").splitlines()
    return sorted(line.removeprefix("  - ") for line in lines if line.startswith("  - "))


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    args = ("serve", "--http", "--port=0", "--store=memory")
    with listening(tmp_path_factory.mktemp("product"), "circuit_export", *args) as url:
        yield url


@pytest.fixture(scope="module")
def fixture_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with listening(tmp_path_factory.mktemp("fixture"), "support.fixture_server") as url:
        yield url


def test_the_product_with_the_suites_tools_passes_all_of_2025_11_25(
    node: Node, fixture_server: str, tmp_path: Path
) -> None:
    outcome = run_suite(node, fixture_server, "2025-11-25", tmp_path)
    assert outcome.bad == [], outcome.text
    assert outcome.code == 0, outcome.text
    assert outcome.good >= 84
    assert {"dns-rebinding-protection", "tools-call-sampling", "server-sse-polling"} <= outcome.scenarios


def test_the_product_with_the_suites_tools_passes_all_of_2026_07_28_but_tasks(
    node: Node, fixture_server: str, tmp_path: Path
) -> None:
    outcome = run_suite(node, fixture_server, "2026-07-28", tmp_path)
    assert outcome.bad == listed("fixture-2026-07-28"), outcome.text
    assert all(check.startswith("tasks-") for check in outcome.bad)  # an extension, which is not offered
    assert outcome.code == 0, outcome.text
    assert outcome.good >= 164
    assert {"caching", "http-header-validation", "http-custom-header-server-validation"} <= outcome.scenarios


@pytest.mark.parametrize(("revision", "good"), [("2025-11-25", 39), ("2026-07-28", 112)])
def test_the_product_fails_what_it_has_no_tools_for_and_nothing_else(
    node: Node, product: str, tmp_path: Path, revision: str, good: int
) -> None:
    name = f"product-{revision}"
    outcome = run_suite(node, product, revision, tmp_path, LISTS / f"{name}.yml")
    assert outcome.bad == listed(name), outcome.text
    assert outcome.code == 0, outcome.text
    assert outcome.good >= good


@pytest.mark.parametrize("name", LONGEST)
def test_a_list_of_what_fails_only_gets_shorter(name: str) -> None:
    assert len(listed(name)) == len(set(listed(name))) == LONGEST[name]


def test_every_list_is_tested() -> None:
    assert {file.stem for file in LISTS.iterdir()} == set(LONGEST)
