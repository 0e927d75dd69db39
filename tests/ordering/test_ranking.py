"""The heaps of arms and hosts."""

from __future__ import annotations

from harvester.ordering.arms import Arm
from harvester.ordering.ranking import Ranking


def arms(*scores: float, host: str = "a.example") -> list[Arm]:
    made = [Arm(number, 0, 0, host, shadow=False, waiting=1) for number in range(len(scores))]
    for arm, score in zip(made, scores, strict=True):
        arm.score = score
    return made


def ranked(made: list[Arm]) -> Ranking:
    ranking = Ranking(made, lambda arm: arm.score)
    for arm in made:
        ranking.add(arm)
    return ranking


def test_the_best_arms_come_first_and_stay() -> None:
    ranking = ranked(arms(0.1, 0.9, 0.5))
    assert [arm.number for arm in ranking.best("a.example", 2)] == [1, 2]
    assert [arm.number for arm in ranking.best("a.example", 3)] == [1, 2, 0]


def test_arms_in_which_nothing_waits_are_left_out() -> None:
    made = arms(0.1, 0.9)
    ranking = ranked(made)
    made[1].waiting = 0
    assert [arm.number for arm in ranking.best("a.example", 2)] == [0]


def test_an_arm_whose_score_changes_at_every_look_holds_nothing_up() -> None:
    made = arms(0.5)

    def restless(arm: Arm) -> float:
        arm.score += 0.1
        ranking.add(arm)
        return arm.score

    ranking = Ranking(made, restless)
    ranking.add(made[0])
    assert [arm.number for arm in ranking.best("a.example", 4)] == [0]
    assert ranking.hosts(3) == ["a.example"]


def test_hosts_come_by_their_best_arm_but_for_those_with_enough() -> None:
    made = arms(0.2, 0.8, 0.5)
    for arm, host in zip(made, ("a.example", "b.example", "c.example"), strict=True):
        arm.host = host
    ranking = ranked(made)
    assert ranking.hosts(2) == ["b.example", "c.example"]
    assert ranking.hosts(2, {"b.example"}) == ["c.example", "a.example"]


def test_a_host_is_found_again_after_all_its_arms_were_empty() -> None:
    made = arms(0.2, 0.8)
    ranking = ranked(made)
    for arm in made:
        arm.waiting = 0
    assert ranking.hosts(1) == []
    made[0].waiting = 1
    ranking.add(made[0])
    assert ranking.hosts(1) == ["a.example"]
