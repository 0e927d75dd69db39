"""Noticing that a site has changed."""

from __future__ import annotations

from harvester.patterns.learner.drift import (
    ALARMED_PROBES,
    PROBES,
    Change,
    Health,
    Outage,
    PageHinkley,
    Watch,
)


def failures(watch: Watch, *, alarmed: bool = False) -> list[Change]:
    """What each of a series of failures changes, up to the end of the kind."""
    changes: list[Change] = []
    while Change.RETIRED not in changes:
        changes.append(watch.add(bad=True, outage=False, alarmed=alarmed))
    return changes


def worked(times: int) -> Watch:
    watch = Watch()
    for _ in range(times):
        watch.add(bad=False, outage=False)
    return watch


def test_a_kind_that_worked_is_suspected_at_its_third_failure_then_retired_after_its_probes() -> None:
    watch = worked(10)
    changes = failures(watch)
    assert changes.index(Change.SUSPECTED) == 2
    assert len(changes) == 3 + PROBES
    assert watch.health is Health.RETIRED


def test_while_other_kinds_fail_fewer_probes_will_do() -> None:
    assert len(failures(worked(10), alarmed=True)) == 3 + ALARMED_PROBES


def test_a_kind_of_which_some_pages_are_always_gone_is_not_suspected() -> None:
    watch = Watch()
    changes = {watch.add(bad=n % 4 == 3, outage=False) for n in range(400)}
    assert changes == {Change.NONE}


def test_one_good_visit_clears_it() -> None:
    watch = Watch()
    for bad in [False] * 6 + [True] * 5 + [False]:
        watch.add(bad=bad, outage=False)
    assert watch.health is Health.FINE


def test_an_outage_of_the_whole_site_blames_no_kind() -> None:
    watch, outage = Watch(good=10), Outage()
    for _ in range(20):
        outage.add(failed=True)
        watch.add(bad=True, outage=outage.now)
    assert watch.health is not Health.RETIRED


def test_page_hinkley_finds_a_drop_and_no_drop_where_there_is_none() -> None:
    steady, dropping = PageHinkley(), PageHinkley()
    assert not any(steady.add(0.8) for _ in range(200))
    for _ in range(50):
        dropping.add(0.8)
    assert any(dropping.add(0.0) for _ in range(20))
