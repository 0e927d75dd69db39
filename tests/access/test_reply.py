"""Replies are sent only as the operator allows, once, and what became of them is understood."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from harvester.access.knowledge import ReplyKnowledge
from harvester.access.login_plan import Read, read_page
from harvester.access.reply import (
    DAY,
    Decision,
    PastReply,
    ReplyDecision,
    ReplyPlan,
    board_of,
    may_reply,
    post_reply,
    reply_form,
    template_mark,
    thread_of,
)
from harvester.access.walls import recognise_wall
from harvester.model.http import Request
from harvester.model.site import ReplyPolicy
from harvester.model.wall import WallKind
from harvester.text.tree import parse_tree
from tests.access.driving import Reply, drive, form_of, page
from tests.access.recordings import answers

NOW = 1_000_000.0
POLICY = ReplyPolicy(
    allowed=True,
    templates=("Thank you for this one.", "Thanks, I will seed it."),
    per_day=2,
    min_gap=600.0,
    approve_first=0,
    boards=("/forum-2-",),
    rule_text="Reply to see it.",
)


def decide(
    policy: ReplyPolicy = POLICY, past: list[PastReply] | None = None, **changes: object
) -> ReplyDecision:
    given = {
        "thread": "thread:1",
        "board": "/forum-2-",
        "stopped": (),
        "approved": (),
        "flood": 15.0,
        "now": NOW,
    }
    return may_reply(policy, past or [], **(given | changes))  # type: ignore[arg-type]  # of the right types


def test_all_conditions_met_is_a_go_with_a_template() -> None:
    assert decide() == ReplyDecision(Decision.GO, "", POLICY.templates[0])


@pytest.mark.parametrize(
    ("policy", "changes"),
    [
        (replace(POLICY, allowed=False), {}),
        (replace(POLICY, rule_text=""), {}),
        (replace(POLICY, templates=()), {}),
        (replace(POLICY, per_day=0), {}),
        (POLICY, {"board": ""}),
        (POLICY, {"stopped": ("/forum-2-",)}),
        (POLICY, {"past": [PastReply(NOW - 100 * DAY, "thread:1", "x")]}),
        (POLICY, {"past": [PastReply(NOW - 2, "thread:2", "x"), PastReply(NOW - 1, "thread:3", "x")]}),
        (POLICY, {"past": [PastReply(NOW - 2 * DAY, "t", template_mark(one)) for one in POLICY.templates]}),
    ],
)
def test_one_condition_missing_is_a_no_with_its_reason(
    policy: ReplyPolicy, changes: dict[str, object]
) -> None:
    decision = decide(policy, **changes)  # type: ignore[arg-type]
    assert decision.decision is Decision.NO
    assert decision.why


def test_the_gap_is_waited_for_and_never_below_the_flood_limit() -> None:
    past = [PastReply(NOW - 10, "thread:9", "x")]
    assert decide(past=past).until == NOW - 10 + 600
    assert decide(replace(POLICY, min_gap=5.0), past, flood=60.0).until == NOW - 10 + 61


def test_the_first_replies_are_approved_by_hand() -> None:
    careful = replace(POLICY, approve_first=1)
    assert decide(careful).decision is Decision.ASK
    assert decide(careful, approved=("thread:1",)).decision is Decision.GO
    assert decide(careful, [PastReply(NOW - DAY * 2, "thread:2", "x")]).decision is Decision.GO


def test_a_board_is_matched_by_its_beginning_and_not_by_part_of_a_number() -> None:
    policy = replace(POLICY, boards=("/forum-2",))
    assert board_of(policy, ["https://f.example/forum-2-1.html"]) == "/forum-2"
    assert board_of(policy, ["https://f.example/forum-20-1.html"]) == ""


@pytest.mark.parametrize(
    ("url", "thread"),
    [
        ("https://f.example/thread-12-3-1.html", "thread:12"),
        ("https://f.example/forum.php?mod=viewthread&tid=12&page=2", "thread:12"),
        ("https://f.example/viewtopic.php?f=1&t=12&start=10", "thread:12"),
        ("https://f.example/threads/some-title.12/page-2", "thread:12"),
        ("https://f.example/index.php?topic=12.15", "thread:12"),
    ],
)
def test_a_thread_is_the_same_on_all_its_pages(url: str, thread: str) -> None:
    assert thread_of(url) == thread


THREAD = (
    "<form action=/search method=post><textarea name=q></textarea></form>"
    "<form id=quick action='/reply?t=1' method=post><textarea name=message></textarea><input type=hidden name=tok value=x>"
    "<input name=email_confirm style='display:none'><input type=submit name=preview value=Preview><input type=submit name=post value=Submit></form>"
)


def read(html: str, url: str = "https://f.example/thread-1-1-1.html") -> Read:
    return read_page(page(url, html))


def posted(reply: Reply, html: str = THREAD) -> tuple[str, list[Request]]:
    plan = ReplyPlan(read(html), "Thank you.", ("f.example",), ReplyKnowledge())
    result, asked = drive(
        post_reply(plan), lambda request: reply if request.method == "POST" else "<p>thread</p>"
    )
    return result.verdict, asked


def test_the_reply_goes_through_the_pages_own_form() -> None:
    _, (sent, *_) = posted("<p>Your reply has been posted</p>")
    assert form_of(sent) == {"message": "Thank you.", "tok": "x", "email_confirm": "", "post": "Submit"}
    assert sent.referer == "https://f.example/thread-1-1-1.html"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("<div id=messagetext><p>非常感谢，回复发布成功，现在将转入主题页</p></div>", "posted"),
        ("<div id=messagetext><p>回复需要审核，请等待通过</p></div>", "moderated"),
        ("<div id=messagetext><p>抱歉，您两次发表间隔少于 15 秒，请稍候再发表</p></div>", "flood"),
        ("<div id=messagetext><p>抱歉，本主题已关闭，不再接受新回复</p></div>", "closed"),
        ("<div class=error>You do not have permission to reply here.</div>", "refused"),
        ("<div class=error>Your message is too short.</div>", "too_short"),
        ((302, "/thread-1-1-1.html#p9"), "posted"),
        ((302, "/index.html"), "unknown"),
    ],
)
def test_what_became_of_a_reply_is_understood(answer: Reply, verdict: str) -> None:
    word, asked = posted(answer)
    assert word == verdict
    assert sum(request.method == "POST" for request in asked) == 1


def test_a_form_that_leads_elsewhere_or_has_a_captcha_is_not_sent() -> None:
    assert posted("", THREAD.replace("/reply?t=1", "https://evil.example/reply"))[1] == []
    assert (
        posted("", THREAD.replace("<input type=hidden", "<input name=seccodeverify><input type=hidden"))[1]
        == []
    )


def test_recorded_threads_hide_have_a_form_and_open_after_their_reply() -> None:
    recorded = answers("discuz35", "reply")
    before = [one for place, one in enumerate(recorded[:-1]) if "replysubmit" in recorded[place + 1].url]
    replies = [one for one in recorded if "replysubmit" in one.url]
    assert len(replies) == 10
    hiding = 0
    for thread, reply in zip(before, replies, strict=True):
        found = reply_form(
            Read(thread.url, thread.html, "utf-8", parse_tree(thread.html), 200),
            ReplyKnowledge(form="fastpostform"),
        )
        assert found is not None
        assert found[1].name == "message"
        hiding += any(
            wall.kind is WallKind.REPLY for wall in recognise_wall(thread.url, 200, {}, thread.html)
        )
        plan = ReplyPlan(
            read(thread.html, thread.url), "感谢分享，收藏了。", ("127.0.0.1:8101",), ReplyKnowledge()
        )
        result, asked = drive(post_reply(plan), lambda _request, body=reply.html: body)  # type: ignore[misc]
        assert result.verdict == "posted"
        assert form_of(asked[0])["formhash"]
    assert hiding == 9  # the first was open to its member already
    for place, answer in enumerate(recorded):
        if "replysubmit" in answer.url:
            after = recorded[place + 1]
            assert not [
                one for one in recognise_wall(after.url, 200, {}, after.html) if one.kind is WallKind.REPLY
            ]
