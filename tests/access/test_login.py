"""A login finds the form, sends it once and only where it may, and believes nothing but proof."""

from __future__ import annotations

import hashlib

import pytest
from msgspec.structs import replace

from harvester.access.login import answer, log_in, prepare
from harvester.access.login_plan import LoginPlan
from harvester.access.secrets import Login, Secret
from harvester.model.account import ChallengeKind, FieldRole, Verdict
from harvester.model.http import Request
from harvester.patterns.engines import shipped_engines
from tests.access.driving import Reply, by_path, drive, form_of
from tests.access.recordings import SITES

HOST = "https://forum.example.org"
PLAN = LoginPlan(
    start=f"{HOST}/",
    hosts=("forum.example.org",),
    login=Login(Secret("alice"), Secret("s3cret-phrase")),
    now=1_000.0,
    engines=shipped_engines(),
)
GUEST = '<a href="/login">Log in</a><p>Welcome, guest.</p>'
MEMBER = '<a href="/logout">Log out</a><p>Welcome back.</p>'
FORM = '<form action="/login" method=post><input type=hidden name=t value=tok><input name=user><input type=password name=pass><button>Log in</button></form>'


class Forum:
    """A site whose visitor becomes a member by the right form; `after` is what the form answers with."""

    def __init__(self, form: str = FORM, *, after: Reply = (302, "/"), works: bool = True) -> None:
        self.form, self.after, self.works, self.member = form, after, works, False

    def __call__(self, request: Request) -> Reply:
        if request.method == "POST":
            self.member = self.works
            return self.after
        if request.url.endswith("/login"):
            return self.form
        return MEMBER if self.member else GUEST


def test_a_good_login_is_three_pages_and_one_form() -> None:
    result, asked = drive(log_in(PLAN), Forum())
    assert (result.verdict, result.sent) == (Verdict.OK, True)
    assert [request.method for request in asked] == ["GET", "GET", "POST", "GET", "GET"]
    assert form_of(asked[2]) == {"t": "tok", "user": "alice", "pass": "s3cret-phrase"}
    assert (asked[2].referer, asked[2].secret) == (f"{HOST}/login", True)


def test_who_is_logged_in_already_sends_nothing() -> None:
    forum = Forum()
    forum.member = True
    result, asked = drive(log_in(PLAN), forum)
    assert (result.verdict, result.sent, len(asked)) == (Verdict.OK, False, 1)


@pytest.mark.parametrize(
    ("page", "verdict"),
    [
        ("<div class=error>You have specified an incorrect password.</div>" + FORM, Verdict.BAD_CREDENTIALS),
        (
            "<div id=messagetext class=alert_error><p>登录失败，您还可以尝试 4 次</p></div>",
            Verdict.BAD_CREDENTIALS,
        ),
        ("<div id=messagetext><p>密码错误次数过多，请 15 分钟后重新登录</p></div>", Verdict.LOCKED_OUT),
        ("<div class=blockMessage>You have been banned.</div>", Verdict.ACCOUNT_DISABLED),
        ("<div class=error>The security code you entered was incorrect.</div>" + FORM, Verdict.CAPTCHA_WRONG),
        ("<div class=error>The submitted form was invalid.</div>" + FORM, Verdict.FORM_REFUSED),
        (FORM, Verdict.BAD_CREDENTIALS),
        ((503, "<h1>Service unavailable</h1>"), Verdict.UNREACHABLE),
        ("<div class=g-recaptcha data-sitekey=x></div>", Verdict.CHALLENGE),
        ("<p>Nothing in particular.</p>", Verdict.UNKNOWN),
    ],
)
def test_a_login_that_did_not_work_says_why(page: Reply, verdict: Verdict) -> None:
    result, asked = drive(log_in(PLAN), Forum(after=page, works=False))
    assert (result.verdict, result.sent) == (verdict, True)
    assert sum(request.method == "POST" for request in asked) == 1
    assert "s3cret" not in repr(result)


@pytest.mark.parametrize(
    "form",
    [
        FORM.replace('action="/login"', 'action="https://evil.example/login"'),
        FORM.replace('action="/login"', 'action="http://forum.example.org/login"'),
        FORM.replace('action="/login"', 'action="https://forum.example.org:8443/login"'),
        FORM.replace('action="/login"', 'action="https://sub.forum.example.org/login"'),
        FORM.replace('action="/login"', 'action="https://x@forum.example.org/login"'),
        FORM.replace("method=post", "method=get"),
        FORM.replace("<input type=hidden", "<div class='h-captcha' data-sitekey=1></div><input type=hidden"),
        FORM.replace("<form", "<form onsubmit='this.pass.value=RSAencrypt(this.pass.value)'"),
    ],
)
def test_secrets_never_go_where_they_should_not(form: str) -> None:
    result, asked = drive(log_in(PLAN), Forum(form))
    assert result.verdict is not Verdict.OK
    assert not result.sent
    assert all(request.method == "GET" for request in asked)


def test_a_redirect_that_would_carry_the_password_elsewhere_is_not_followed() -> None:
    for status, target in ((307, "https://evil.example/"), (308, "http://forum.example.org/login")):
        result, asked = drive(log_in(PLAN), Forum(after=(status, target), works=False))
        assert result.verdict is Verdict.REFUSED
        assert sum(request.method == "POST" for request in asked) == 1
        assert not any("evil" in request.url for request in asked)


def test_a_redirect_to_another_host_is_not_followed_and_the_proof_decides() -> None:
    result, asked = drive(log_in(PLAN), Forum(after=(302, "https://elsewhere.example/welcome")))
    assert result.verdict is Verdict.OK
    assert not any("elsewhere" in request.url for request in asked)


def test_plain_http_needs_the_operators_word() -> None:
    plan = replace(PLAN, start="http://forum.example.org/")
    assert drive(log_in(plan), Forum())[0].verdict is Verdict.REFUSED
    assert drive(log_in(replace(plan, allow_insecure=True)), Forum())[0].verdict is Verdict.OK


def test_a_login_page_that_nobody_links_to_is_tried_at_the_known_places_only() -> None:
    pages: dict[str, Reply] = {"GET /": "<p>Hello.</p>"}
    result, asked = drive(log_in(PLAN), by_path(pages))
    assert result.verdict is Verdict.NO_FORM
    assert len(asked) <= 6


def test_a_captcha_is_asked_for_before_anything_is_sent() -> None:
    image = (SITES / "discuz35_captcha" / "cap0.png").read_bytes()
    form = FORM.replace("<button>", "<img src='/captcha.php?id=1'><input name=captcha_code><button>")

    class WithImage(Forum):
        def __call__(self, request: Request) -> Reply:
            return image if "captcha.php" in request.url else super().__call__(request)

    forum = WithImage(form)
    result, asked = drive(log_in(PLAN), forum)
    assert (result.verdict, result.sent) == (Verdict.CAPTCHA_REQUIRED, False)
    challenge = result.challenge
    assert challenge is not None
    assert challenge.kind is ChallengeKind.IMAGE
    assert challenge.image.startswith(b"\x89PNG")
    assert [field.value for field in challenge.form.fields if field.role is not FieldRole.PLAIN] == [
        "",
        "",
        "",
    ]
    assert asked[-1].referer == f"{HOST}/login"
    result, asked = drive(answer(PLAN, challenge, "ab12"), forum)
    assert result.verdict is Verdict.OK
    assert form_of(asked[0])["captcha_code"] == "ab12"
    late = replace(PLAN, now=challenge.deadline + 1)
    result, asked = drive(answer(late, challenge, "ab12"), forum)
    assert (asked, result.sent) == ([], False)
    assert "deadline" in result.why


def test_the_recorded_discuz_page_leads_to_its_captchas_image() -> None:
    login_page = (SITES / "discuz35_captcha" / "login.html").read_text(encoding="utf-8")
    image = (SITES / "discuz35_captcha" / "cap1.png").read_bytes()
    plan = replace(PLAN, start="http://127.0.0.1:8101/forum.php", hosts=("127.0.0.1:8101",))

    def site(request: Request) -> Reply:
        if "action=update" in request.url:
            assert "idhash=cSfWr3BO&modid=member::logging" in request.url
            return '<img src="misc.php?mod=seccode&update=1&idhash=cSfWr3BO" class="vm" />'
        return image if "mod=seccode" in request.url else login_page

    prepared, asked = drive(prepare(plan), site)
    assert not hasattr(prepared, "verdict")
    fields = {field.name: field for field in prepared.form.fields}  # type: ignore[union-attr]
    assert fields["seccodehash"].value == "cSfWr3BO"
    assert fields["seccodeverify"].role is FieldRole.ANSWER
    assert fields["cookietime"].value == "2592000"
    assert fields["questionid"].value == "0"
    assert all(request.method == "GET" for request in asked)


def test_a_second_factor_on_a_page_of_its_own_is_asked_for() -> None:
    code = '<p>Enter the code of your authenticator app</p><form action="/two-factor-challenge" method=post><input name=code><button>Go</button></form>'

    class TwoSteps(Forum):
        def __call__(self, request: Request) -> Reply:
            if request.url.endswith("two-factor-challenge"):
                self.member = request.method == "POST"
                return (302, "/") if self.member else code
            self.member = False if request.method == "POST" else self.member
            return super().__call__(request) if request.method == "GET" else (302, "/two-factor-challenge")

    forum = TwoSteps()
    result, _ = drive(log_in(PLAN), forum)
    assert result.verdict is Verdict.SECOND_FACTOR
    assert result.challenge is not None
    result, asked = drive(answer(PLAN, result.challenge, "123456"), forum)
    assert (result.verdict, form_of(asked[0])) == (Verdict.OK, {"code": "123456"})


def test_a_security_question_is_asked_for_with_its_choices() -> None:
    form = (
        "<meta name=generator content='Discuz! X3.4'><form name=login action='member.php?mod=logging&action=login&loginsubmit=yes&loginhash=Lab12' method=post>"
        "<input name=username><input type=password name=password><select name=questionid><option value=0>-<option value=1>母亲的名字</select>"
        "<input name=answer><button name=loginsubmit value=true>登录</button></form>"
    )
    plan = replace(PLAN, engine="discuz")

    def site(request: Request) -> Reply:
        if request.method == "POST":
            good = form_of(request).get("answer") == "Anna" and form_of(request)["questionid"] == "1"
            return MEMBER if good else "<div id=messagetext><p>请选择安全提问以及填写正确的答案</p></div>"
        return form if "logging" in request.url else GUEST

    result, _ = drive(log_in(plan), site)
    assert result.verdict is Verdict.SECURITY_QUESTION
    assert result.challenge is not None
    assert result.challenge.choices == (("1", "母亲的名字"),)
    _, asked = drive(answer(plan, result.challenge, "1\tAnna"), site)
    assert form_of(asked[0])["questionid"] == "1"
    assert form_of(asked[0])["username"] == "alice"


def test_a_hashing_discuz_form_gets_the_hash_in_the_pages_charset() -> None:
    form = (
        "<form name=login onsubmit=\"pwmd5('password3_L')\" action='member.php?mod=logging&action=login' method=post>"
        "<input name=username><input type=password name=password></form>"
    )
    plan = replace(PLAN, engine="discuz", login=Login(Secret("测试"), Secret("密码")))
    result, asked = drive(
        log_in(plan), Forum(form.replace("member.php?mod=logging&action=login", "/login")), charset="gbk"
    )
    sent = form_of(next(request for request in asked if request.method == "POST"), "gbk")
    digest = hashlib.md5("密码".encode("gbk"), usedforsecurity=False).hexdigest()
    assert sent == {"username": "测试", "password": digest}
    assert result.verdict is Verdict.OK
