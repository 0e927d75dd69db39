"""HTTP authentication goes to the site's own host, over https, and is told good or bad by one answer."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from harvester.access.flow import Authorise
from harvester.access.login import log_in
from harvester.access.login_plan import asked_scheme
from harvester.model.account import Verdict
from harvester.model.http import Headers, Request, Response
from tests.access.test_login import HOST, PLAN


@pytest.mark.parametrize(
    ("status", "challenges", "scheme"),
    [
        (401, ['Basic realm="x"'], "basic"),
        (401, ['Basic realm="x"', 'Digest realm="x", nonce="y"'], "digest"),
        (401, ["Negotiate"], "negotiate"),
        (401, [], ""),
        (200, ['Basic realm="x"'], ""),
    ],
)
def test_the_scheme_that_is_asked_for_is_known(status: int, challenges: list[str], scheme: str) -> None:
    assert asked_scheme(status, challenges) == scheme


def run(plan, *, good: bool = True, scheme: str = "Basic"):  # type: ignore[no-untyped-def]  # a result and its steps
    flow, steps, given = log_in(plan), [], False
    try:
        step = next(flow)
        while True:
            steps.append(step)
            if isinstance(step, Authorise):
                given = step.login is not None and good
                step = flow.send(None)
                continue
            assert isinstance(step, Request)
            challenge = Headers.of(WWW_Authenticate=f'{scheme} realm="x"')
            step = flow.send(Response(step.url, 200 if given else 401, Headers() if given else challenge))
    except StopIteration as stop:
        return stop.value, steps


def test_good_credentials_are_sent_once_to_the_origin_that_asked() -> None:
    result, steps = run(PLAN)
    assert (result.verdict, result.http_auth, result.sent) == (Verdict.OK, "basic", True)
    (given,) = [one for one in steps if isinstance(one, Authorise)]
    assert (given.origin, given.scheme, given.login) == (HOST, "basic", PLAN.login)


def test_refused_credentials_are_taken_back() -> None:
    result, steps = run(PLAN, good=False)
    assert (result.verdict, result.sent) == (Verdict.BAD_CREDENTIALS, True)
    assert [one.login for one in steps if isinstance(one, Authorise)] == [PLAN.login, None]


@pytest.mark.parametrize(
    ("plan", "scheme", "verdict"),
    [
        (replace(PLAN, start="http://forum.example.org/"), "Basic", Verdict.REFUSED),
        (replace(PLAN, hosts=("other.example.org",)), "Basic", Verdict.REFUSED),
        (PLAN, "Negotiate", Verdict.NO_FORM),
        (replace(PLAN, only_look=True), "Basic", Verdict.HELD),
    ],
)
def test_nothing_is_given_where_it_may_not_go(plan, scheme: str, verdict: Verdict) -> None:  # type: ignore[no-untyped-def]  # a plan
    result, steps = run(plan, scheme=scheme)
    assert result.verdict is verdict
    assert not [one for one in steps if isinstance(one, Authorise)]


def test_credentials_that_every_request_carried_are_not_sent_anew_when_they_are_refused() -> None:
    result, steps = run(replace(PLAN, http_auth="basic"), good=False)
    assert (result.verdict, result.sent, len(steps)) == (Verdict.BAD_CREDENTIALS, True, 1)
