"""A purchase: the price of the page and of the form agree, the form is sent once, and nothing else is."""

from __future__ import annotations

from harvester.access.login_plan import Read, read_page
from harvester.access.purchase import Offer, PurchasePlan, buy, offers_on
from harvester.model.http import Request
from tests.access.driving import Reply, drive, form_of, page

URL = "https://f.example/thread-3-1-1.html"
PATTERN = r"mod=misc&(?:[^#]*&)?action=(?:attachpay|pay)&"
SHOWN = (
    '<dl class="tattl"><p><a href="forum.php?mod=misc&amp;action=attachpay&amp;aid=12&amp;tid=3">a.torrent</a></p>'
    '<p>售价: 5 金钱 [<a href="forum.php?mod=misc&amp;action=attachpay&amp;aid=12&amp;tid=3">购买</a>]</p></dl>'
    '<div class="locked"><a class="viewpay" href="forum.php?mod=misc&amp;action=pay&amp;tid=3&amp;pid=9">购买主题</a>'
    "本主题需向作者支付 <strong>7 金钱</strong> 才能浏览</div>"
    '<p><a href="forum.php?mod=misc&amp;action=attachcredit&amp;aid=4&amp;formhash=1">4.torrent</a> 2 金钱</p>'
)
FORM = (
    '<form id="attachpayform" method="post" action="forum.php?mod=misc&amp;action=attachpay&amp;tid=3">'
    "<input type=hidden name=formhash value=abc><input type=hidden name=aid value=12>"
    "<table><tr><th>售价(金钱)</th><td>5 金钱</td></tr><tr><th>购买后余额(金钱)</th><td>20 金钱</td></tr></table>"
    "<input type=checkbox name=buyall value=yes><button type=submit name=paysubmit value=true>购买附件</button></form>"
)


def shown(html: str = SHOWN) -> Read:
    return read_page(page(URL, html))


def plan(refusal: str = "") -> PurchasePlan:
    offer = Offer("attachment:12", "https://f.example/forum.php?mod=misc&action=attachpay&aid=12&tid=3", 5.0)
    return PurchasePlan(shown(), offer, ("f.example",), lambda _price, _balance: refusal)


def shop(form: str = FORM, answer: str = "<div id=messagetext>附件购买成功</div>"):  # type: ignore[no-untyped-def]  # a site
    def site(request: Request) -> Reply:
        return answer if request.method == "POST" else form

    return site


def test_what_a_page_sells_is_read_with_its_price_and_links_that_spend_are_not_offers() -> None:
    assert [(one.item, one.price) for one in offers_on(shown(), PATTERN)] == [
        ("attachment:12", 5.0),
        ("thread:3", 7.0),
    ]
    assert offers_on(shown(), "") == []


def test_the_form_is_sent_once_and_only_for_this_item() -> None:
    result, asked = drive(buy(plan()), shop())
    assert (result.verdict, result.price, result.sent) == ("bought", 5.0, True)
    assert [one.method for one in asked] == ["GET", "POST"]
    assert form_of(asked[1]) == {"formhash": "abc", "aid": "12", "paysubmit": "true"}


def test_nothing_is_sent_where_the_limits_or_the_price_say_no() -> None:
    for made, form in (
        (plan("too much"), FORM),
        (plan(), FORM.replace("5 金钱", "6 金钱")),
        (plan(), FORM.replace("5 金钱", "free")),
        (plan(), FORM.replace("value=12", "value=13")),
        (plan(), FORM.replace('action="forum', 'action="https://evil.example/forum')),
        (plan(), "<div id=messagetext>您的金钱不足</div>"),
    ):
        result, asked = drive(buy(made), shop(form))
        assert not result.sent
        assert [one.method for one in asked] == ["GET"]


def test_what_the_site_says_of_it_is_told() -> None:
    result, _ = drive(buy(plan()), shop(answer="<div id=messagetext>抱歉，您的金钱不足，无法购买</div>"))
    assert (result.verdict, result.sent) == ("refused", True)
