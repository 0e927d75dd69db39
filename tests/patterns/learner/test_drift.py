"""Noticing that a site has changed."""

from __future__ import annotations

from harvester.patterns.learner.drift import PROBES, Health, Outage, PageHinkley, Watch


def test_a_kind_that_worked_is_suspected_then_retired_after_its_probes() -> None:
    watch = Watch()
    for _ in range(10):
        watch.add(bad=False, outage=False)
    visits = 0
    while not watch.add(bad=True, outage=False):
        visits += 1
    assert watch.health is Health.RETIRED
    assert visits <= PROBES + 4


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
