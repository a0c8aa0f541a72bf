"""The trail: cycles are seen, diamonds are none."""

from circuit_export.formats.steps.engine.trail import Trail


def test_a_step_that_is_its_own_ancestor_is_a_cycle():
    trail = Trail()
    trail.queued(1)
    assert trail.follow("a") is None
    trail.queued(1)
    assert trail.follow("b") is None
    trail.queued(1)
    assert trail.follow("a") == ["a", "b"]


def test_a_step_reached_twice_is_none():
    trail = Trail()
    trail.queued(1)
    trail.follow("a")
    trail.queued(2)
    trail.follow("b")
    trail.queued(1)
    assert trail.follow("d") is None
    assert trail.follow("c") is None
    trail.queued(1)
    assert trail.follow("d") is None


def test_what_was_queued_before_goes_back_to_the_beginning():
    trail = Trail()
    trail.queued(1)
    trail.follow("a")
    assert trail.follow("a") is None


def test_each_round_of_a_frame_starts_where_it_opened():
    trail = Trail()
    trail.queued(1)
    trail.follow("each")
    trail.open()
    for _round in range(2):
        trail.again()
        trail.queued(1)
        assert trail.follow("body") is None
    trail.close()
    trail.queued(1)
    assert trail.follow("each") == ["each"]


def test_a_frame_that_was_opened_before():
    trail = Trail()
    trail.queued(1)
    trail.follow("body")
    trail.again()
    trail.queued(1)
    assert trail.follow("body") is None
    trail.close()
    trail.queued(1)
    assert trail.follow("body") is None


def test_a_step_from_before_a_frame_is_no_cycle_inside_it():
    trail = Trail()
    trail.queued(1)
    trail.follow("a")
    trail.queued(1)
    trail.follow("each")
    trail.open()
    trail.queued(1)
    assert trail.follow("a") is None
    trail.queued(1)
    assert trail.follow("b") is None
    trail.queued(1)
    assert trail.follow("a") == ["a", "b"]
    trail.close()
    trail.queued(1)
    assert trail.follow("a") == ["a", "each"]
