"""The protocol's official conformance suite, against the product and against the product with the suite's own tools.

The suite tests a server by calling tools of its own making. The fixture server has them and passes whatever counts for
a revision; the product has none, so what it cannot be asked is listed, check by check. Those lists only get shorter.
"""

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest
from bs4 import BeautifulSoup
from support.listening import listening
from support.node import Node

SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
LISTS = Path(__file__).parents[1] / "conformance" / "mcp"
BAD = ("FAILURE", "WARNING")

SETS = ("2025-11-25", "2026-07-28")
"""The revisions for which the suite says what it demands; for an earlier one it is all that applies to it."""

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
    demanded = ["--requirements", revision] if revision in SETS else ["--suite", "all", "--spec-version", revision]
    args = ["server", "--url", url, *demanded, "--output-dir", str(folder)]
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


@pytest.mark.parametrize(("revision", "good"), [("2025-06-18", 56), ("2025-11-25", 84)])
def test_the_product_with_the_suites_tools_passes_all_of_a_revision(
    node: Node, fixture_server: str, tmp_path: Path, revision: str, good: int
) -> None:
    outcome = run_suite(node, fixture_server, revision, tmp_path)
    assert outcome.bad == [], outcome.text
    assert outcome.code == 0, outcome.text
    assert outcome.good >= good
    assert {"tools-call-sampling", "tools-call-elicitation", "resources-subscribe"} <= outcome.scenarios


def test_the_product_with_the_suites_tools_passes_all_of_2026_07_28_but_tasks(
    node: Node, fixture_server: str, tmp_path: Path
) -> None:
    outcome = run_suite(node, fixture_server, "2026-07-28", tmp_path)
    assert outcome.bad == listed("fixture-2026-07-28"), outcome.text
    assert all(check.startswith("tasks-") for check in outcome.bad)  # an extension, which is not offered
    assert outcome.code == 0, outcome.text
    assert outcome.good >= 164
    assert {"caching", "http-header-validation", "http-custom-header-server-validation"} <= outcome.scenarios


@pytest.mark.parametrize(("revision", "good"), [("2025-11-25", 40), ("2026-07-28", 114)])
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


# --- signing in --------------------------------------------------------------------------------------------------

KEY = "the key of these tests"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The issuer of a server that asks for a key."""
    args = ("serve", "--http", "--port=0", "--store=memory")
    env = {"CIRCUIT_OWNER_KEY": KEY}
    with listening(tmp_path_factory.mktemp("guarded"), "circuit_export", *args, env=env) as url:
        yield url.removesuffix("/mcp")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def agree(asked: str) -> None:
    """What a person does in the browser: sees the page, types the key, and is sent back to the client."""
    with httpx2.Client(follow_redirects=True, timeout=60) as browser:
        page = BeautifulSoup(browser.get(asked).raise_for_status().text, "html.parser")
        fields = {str(field["name"]): str(field.get("value", "")) for field in page.select("form input")}
        browser.post(asked.partition("?")[0], data={**fields, "owner_key": KEY}).raise_for_status()


def sign_in(node: Node, args: list[str], asking: str) -> str:
    """Lets the suite sign in, and agrees when it asks for that; what it said."""
    said = []
    with node.start(SUITE, "authorization", *args) as suite:
        assert suite.stdout is not None
        try:
            for line in suite.stdout:
                said.append(line)
                if line.startswith(asking):
                    agree(line.strip())
        except BaseException:
            suite.kill()  # it would wait for minutes
            raise
    return "".join(said)


def test_signing_in_passes_what_the_suite_asks_of_an_authorization_server(
    node: Node, guarded: str, tmp_path: Path
) -> None:
    port = free_port()
    wanted = {"redirect_uris": [f"http://127.0.0.1:{port}/callback"], "client_name": "The suite"}
    client = httpx2.post(f"{guarded}/oauth/register", json=wanted, timeout=60).raise_for_status().json()
    args = ["--url", guarded, "--client-id", client["client_id"], "--resource", f"{guarded}/mcp", "-p", str(port)]
    said = sign_in(node, [*args, "-o", str(tmp_path)], f"{guarded}/oauth/authorize?")
    checks = [check for file in tmp_path.glob("*/checks.json") for check in json.loads(file.read_text("utf-8"))]
    found = {check["id"]: check["status"] for check in checks}
    # Clients register; that they name a document of their own instead is not offered, which is a mere warning.
    assert found.pop("authorization-server-metadata-cimd") == "WARNING"
    assert found == {"authorization-server-metadata": "SUCCESS", "authorization-code-grant": "SUCCESS"}, said
