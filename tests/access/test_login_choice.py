"""The login form is told from the others, and its fields from each other."""

from __future__ import annotations

import pytest

from harvester.access.forms import parse_forms
from harvester.access.login_choice import LoginForm, choose_login_form
from harvester.text.charset import decode_page
from tests.access.recordings import SITES, answers

PAGE = "https://forum.example.org/"
LOGIN_FORM = '<form action="/login" method=post><input name=user><input type=password name=pass><button>Log in</button></form>'


def chosen(html: str, page: str = PAGE) -> LoginForm | None:
    return choose_login_form(parse_forms(html, page))


@pytest.mark.parametrize(
    ("form", "user"),
    [
        (LOGIN_FORM, "user"),
        (
            '<form action="/index.php?action=login2" method=post><input name=q type=search><input name=nick><input type=password name=p></form>',
            "nick",
        ),
        (
            '<form action="/s" method=post><label>E-mail<input type=email name=f1></label><label>Password<input type=password name=f2></label><button>Sign in</button></form>',
            "f1",
        ),
        (
            '<form method=post action="/вход"><input name=x1 placeholder="Имя пользователя"><input type=password name=x2><input type=submit value="Войти"></form>',
            "x1",
        ),
        (
            '<form method=post action="in.asp"><input name=xm><input type=password name=mm><input type=checkbox name=autologin><input type=submit value="登录"></form>',
            "xm",
        ),
        (
            '<form action=/auth method=post><input name=username><input name=_username style="display:none"><input type=password name=p></form>',
            "username",
        ),
        (
            "<form action=/auth method=post><input name=login><input name=captcha_code><input type=password name=p></form>",
            "login",
        ),
    ],
)
def test_the_user_field_is_found(form: str, user: str) -> None:
    found = chosen(form)
    assert found is not None
    assert found.user.name == user


@pytest.mark.parametrize(
    "form",
    [
        '<form action="/register" method=post><input name=user><input type=password name=a><input type=password name=b></form>',
        '<form action="/register" method=post><input name=user><input type=password name=a><button>Register</button></form>',
        '<form action="https://elsewhere.example/login" method=post><input name=user><input type=password name=a></form>',
        '<form action="/lostpw" method=post><input name=email><button>Recover password</button></form>',
        '<form action="/unlock" method=post><input type=password name=boardpw></form>',
        '<form action="/search" method=get><input name=q></form>',
    ],
)
def test_what_is_no_login_form_is_not_taken_for_one(form: str) -> None:
    assert chosen(form) is None


def test_the_full_form_wins_over_the_quick_one() -> None:
    quick = '<div id="header"><form id=quick_login action="/login" method=post><input name=quick_username><input type=password name=quick_password></form></div>'
    full = '<form id=full action="/login" method=post><input name=username><input type=password name=password><input type=checkbox name=remember></form>'
    found = chosen(quick + full)
    assert found is not None
    assert found.form.id == "full"


def test_the_recorded_discuz_login_page_is_understood() -> None:
    html = (SITES / "discuz35_captcha" / "login.html").read_text(encoding="utf-8")
    found = chosen(html, "http://127.0.0.1:8101/member.php?mod=logging&action=login")
    assert found is not None
    assert found.form.id == "loginform_Lry08"
    assert (found.user.name, found.password.name) == ("username", "password")
    assert found.remember is not None
    assert found.remember.name == "cookietime"
    assert found.submit is not None
    assert found.submit.name == "loginsubmit"


@pytest.mark.parametrize(("site", "recording"), [("phpbb", "focus_anon"), ("mybb", "focus_anon")])
def test_recorded_login_pages_of_other_software_are_understood(site: str, recording: str) -> None:
    found = []
    for answer in answers(site, recording):
        if answer.html and ("login" in answer.url or "password" in answer.html):
            body = answer.html.encode()
            page = decode_page(body, "text/html; charset=utf-8").text
            if (form := chosen(page, answer.url)) is not None:
                found.append(form)
    assert found
    assert {form.user.name for form in found} <= {"username", "quick_username", "user"}
