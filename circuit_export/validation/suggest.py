"""Suggests scenarios: few that reach all that can be reached, and a word on what cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from circuit_export.runs.directives import one_line
from circuit_export.runs.scenario import Engine, Expect, Played, Scenario, finished, play
from circuit_export.runs.targets import Proposer, Target

TRIES = 24
"""How many scenarios are tried for one target before it counts as out of reach."""


class Suggestion(NamedTuple):
    """The scenarios, and what they do not reach with the reason, what lies nearest to the start first."""

    scenarios: tuple[Scenario, ...]
    unreached: tuple[tuple[Target, str], ...]


class _Kept(NamedTuple):
    """A scenario that is kept, the target it was made for, and all that it reached."""

    scenario: Scenario
    target: Target
    reached: frozenset[Target]


def suggest(engine: Engine, proposer: Proposer) -> Suggestion:
    """Looks for scenarios until every target is reached or given up, then leaves out those that add nothing."""
    kept: list[_Kept] = []
    reached: set[Target] = set()
    targets = proposer.targets()
    for target in targets:
        if target not in reached:
            found = _look_for(engine, proposer, target)
            if found is not None:
                kept.append(found)
                reached |= found.reached
                proposer.keep(found.reached)
    scenarios = _named(_fewest(kept, set(targets)), proposer)
    missed = [target for target in reversed(targets) if target.needed and target not in reached]
    unreached = [(target, proposer.why_not(target)) for target in missed]
    return Suggestion(tuple(scenarios), tuple(unreached))


def _look_for(engine: Engine, proposer: Proposer, target: Target) -> _Kept | None:
    for tried, scenario in enumerate(proposer.propose(target)):
        played = play(engine, scenario)
        reached = proposer.reached(played)
        if target in reached:
            return _Kept(_asked(_expecting(scenario, played), played), target, reached)
        proposer.learn(target, played)
        if tried + 1 >= TRIES:
            break
    return None


def _expecting(scenario: Scenario, played: Played) -> Scenario:
    """A scenario that says how its run ends, where that is not the usual way."""
    usual = finished(played) and played.status == "succeeded"
    return scenario if usual else scenario._replace(expect=Expect(status=played.status))


def _asked(scenario: Scenario, played: Played) -> Scenario:
    """A scenario without the answers that nobody asks for."""
    used = Counter(exchange.key for exchange in played.exchanges)
    kept = {key: replies[: used[key]] for key, replies in scenario.answers.items() if used[key]}
    return scenario._replace(answers=kept)


def _fewest(kept: Sequence[_Kept], wanted: set[Target]) -> list[_Kept]:
    """Those without which something would be missed; of two that reach the same, the one that reaches more stays."""
    counts = Counter(target for one in kept for target in one.reached & wanted)
    chosen = set()
    for at, one in sorted(enumerate(kept), key=lambda pair: len(pair[1].reached & wanted)):
        mine = one.reached & wanted
        if all(counts[target] > 1 for target in mine):
            counts.subtract(mine)
        else:
            chosen.add(at)
    return [one for at, one in enumerate(kept) if at in chosen]


def _named(kept: Sequence[_Kept], proposer: Proposer) -> Iterator[Scenario]:
    """The scenarios with names that differ, and each with its place."""
    used: set[str] = set()
    for place, one in enumerate(kept):
        name = one.scenario.name
        if one_line(name) in used:
            name = f"{name}, {proposer.describe(one.target)}"
        plain, number = name, 1
        while one_line(name) in used:
            number += 1
            name = f"{plain} ({number})"
        used.add(one_line(name))
        yield one.scenario._replace(name=name, place=place)
