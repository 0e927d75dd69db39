"""The learner as a whole, on a small forum in memory."""

from __future__ import annotations

import time

from harvester.model.order import Came, PageLink, PageSeen
from harvester.model.site import Role, Rule, RuleEvidence, RuleSource, RuleState
from harvester.patterns.learner import Learner
from harvester.patterns.rules import RuleSet
from tests.ordering.rehearsal import ORIGIN, crawl


def visit(
    url: str,
    came: Came = Came.PAGE,
    *,
    final: str = "",
    links: tuple[PageLink, ...] = (),
    redirects: tuple[str, ...] = (),
) -> PageSeen:
    return PageSeen(
        url,
        "forum.example",
        hash(url),
        came,
        final_url=final,
        redirects=redirects,
        links=links,
        page_key=url.encode(),
    )


def link(number: int, row: int) -> PageLink:
    url = f"{ORIGIN}/thread/{number}"
    return PageLink(url, "forum.example", number, anchor=f"title {row}", row=(0, row))


def test_the_rules_of_a_crawl_take_the_urls_that_they_were_made_of() -> None:
    run = crawl("bandit", most=3000)
    rules = RuleSet(run.rules)
    for path, role in (("thread/2001", Role.DETAIL), ("file/2001", Role.DOWNLOAD), ("board/2", Role.LIST)):
        match = rules.match(f"{ORIGIN}/{path}")
        assert match is not None
        assert match.role is role


def test_at_most_25_rules_are_active_and_ids_are_unique() -> None:
    learner = Learner(["forum.example"])
    for kind in range(60):
        word = "".join(chr(97 + kind // 26**k % 26) for k in range(2))
        for n in range(10):
            learner.observe(visit(f"{ORIGIN}/{word}.php?{word}={n}", Came.TORRENT))
    rules = learner.rules()
    assert sum(rule.state is RuleState.ACTIVE for rule in rules) <= 25
    assert len({rule.id for rule in rules}) == len(rules)


def test_a_locked_rule_is_kept_as_it_is() -> None:
    locked = Rule("mine", Role.TRAP, r"^/thread/\d+$", locked=True, source=RuleSource.LEARNED)
    learner = Learner(["forum.example"], [locked])
    for n in range(20):
        learner.observe(visit(f"{ORIGIN}/thread/{n}", Came.TORRENT))
    rules = learner.rules()
    assert rules[0] == locked
    assert sum(rule.match == locked.match for rule in rules) == 1


def test_what_earlier_runs_learned_stays_where_this_one_saw_less() -> None:
    old = Rule(
        "old", Role.DETAIL, r"^/old/\d+$", source=RuleSource.LEARNED, evidence=RuleEvidence(support=40)
    )
    assert old in Learner(["forum.example"], [old]).rules()


def test_a_kind_that_moved_is_retired_and_a_rule_for_its_new_addresses_learned() -> None:
    learner = Learner(["forum.example"])
    for n in range(10):
        learner.observe(visit(f"{ORIGIN}/old.php?id={n}", Came.TORRENT))
    for n in range(10, 25):
        learner.observe(visit(f"{ORIGIN}/old.php?id={n}", Came.TORRENT, redirects=(f"{ORIGIN}/new/{n}/",)))
    old, new = learner.kind(f"{ORIGIN}/old.php?id=1"), learner.kind(f"{ORIGIN}/new/99/")
    assert learner.changes.predecessor(new) is old
    assert learner.changes.moves.rewrite(f"{ORIGIN}/old.php?id=77") == f"{ORIGIN}/new/77/"
    states = {rule.match: (rule.role, rule.state) for rule in learner.rules()}
    assert states[r"^/old\.php\?id=\d+$"] == (Role.DOWNLOAD, RuleState.RETIRED)
    assert states[r"^/new/\d+/$"] == (Role.DOWNLOAD, RuleState.ACTIVE)


def test_where_old_addresses_are_gone_the_new_ones_are_found_by_the_names_of_links() -> None:
    learner = Learner(["forum.example"])

    def board(url: str, pattern: str) -> PageSeen:
        links = tuple(
            PageLink(
                ORIGIN + pattern.format(n),
                "forum.example",
                hash((pattern, n)),
                anchor=f"title no {n}",
                row=(0, n),
            )
            for n in range(20)
        )
        return visit(ORIGIN + url, links=links)

    learner.observe(board("/board", "/old.php?id={}"))
    for n in range(8):
        learner.observe(visit(f"{ORIGIN}/old.php?id={n}", Came.PAGE))
    for n in range(8, 12):
        learner.observe(visit(f"{ORIGIN}/old.php?id={n}", Came.GONE))
    assert learner.changes.suspicions == 1
    learner.observe(board("/board", "/thread-{}-1.html"))
    assert learner.changes.moves.rewrite(f"{ORIGIN}/old.php?id=15") == f"{ORIGIN}/thread-15-1.html"
    assert learner.changes.found_again == [f"{ORIGIN}/old.php?id={n}" for n in range(8, 12)]


def test_a_redirect_that_was_always_there_retires_nothing() -> None:
    learner = Learner(["forum.example"])
    for n in range(20):
        learner.observe(
            visit(
                f"{ORIGIN}/details.php?id={n}&hit=1",
                final=f"{ORIGIN}/details.php?id={n}",
                redirects=(f"{ORIGIN}/details.php?id={n}",),
            )
        )
    assert learner.changes.moves.rewrite(f"{ORIGIN}/details.php?hit=1&id=7") == f"{ORIGIN}/details.php?id=7"
    assert not [rule for rule in learner.rules() if rule.state is RuleState.RETIRED]
    assert learner.changes.suspicions == 0


def test_patterns_find_urls_with_session_ids_in_any_place() -> None:
    learner = Learner(["forum.example"])
    sid = "0123456789abcdef0123456789abcdef"
    for n in range(10):
        learner.observe(visit(f"{ORIGIN}/view.php?t={n}&sid={sid}", Came.TORRENT))
    rules = RuleSet(learner.rules())
    assert rules.match(f"{ORIGIN}/view.php?t=77&sid={sid[::-1]}")
    assert rules.match(f"{ORIGIN}/view.php?sid={sid}&t=77")
    assert not rules.match(f"{ORIGIN}/view.php?u=77")


def test_a_page_costs_little() -> None:
    learner = Learner(["forum.example"])
    pages = []
    for n in range(300):
        links = tuple(
            PageLink(
                f"{ORIGIN}/thread/{n * 20 + k}", "forum.example", n * 100 + k, anchor=f"title {k}", row=(0, k)
            )
            for k in range(20)
        )
        pages.append(visit(f"{ORIGIN}/board/{n}", links=links))
    begun = time.process_time()
    for page in pages:
        learner.observe(page)
    assert (time.process_time() - begun) / len(pages) < 0.005
