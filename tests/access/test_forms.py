"""Forms are read, filled and encoded as a browser does it."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.access.form_filling import encode, encode_multipart, fill, pairs_of
from harvester.access.forms import form_codec, parse_forms
from harvester.access.secrets import Login, Secret
from harvester.errors import AccessError
from harvester.model.account import FieldRole

PAGE = "https://forum.example.org/bbs/login.php?x=1"
LOGIN = Login(Secret("alice"), Secret("s3cret"))


def names(html: str, **kwargs: object) -> list[tuple[str, str]]:
    (form,) = parse_forms(html, PAGE)
    submit = form.submits[0] if form.submits else None
    return pairs_of(fill(form, roles={}, submit=submit, **kwargs), LOGIN)  # type: ignore[arg-type]


def test_all_controls_are_sent_in_their_order() -> None:
    html = """<form method=post><input name=a value=1><input type=hidden name=b value=2>
    <select name=c><option value=x>X<option value=y selected>Y</select><textarea name=d>
one
two</textarea><input type=radio name=e value=1><input type=radio name=e value=2 checked>
    <input type=checkbox name=f><input type=checkbox name=g checked><button name=h value=go>Go</button></form>"""
    assert names(html) == [
        ("a", "1"), ("b", "2"), ("c", "y"), ("d", "one\r\ntwo"), ("e", "2"), ("g", "on"), ("h", "go"),
    ]  # fmt: skip


def test_what_a_browser_leaves_out_is_left_out() -> None:
    html = """<form method=post><input name=a value=1 disabled><fieldset disabled><input name=b></fieldset>
    <input value=nameless><input type=reset name=r><input type=button name=s value=x><button type=button name=t>x</button>
    <input type=submit name=u value=one><input type=submit name=v value=two></form>"""
    assert names(html) == [("u", "one")]


def test_a_select_without_a_choice_sends_its_first_option_that_may_be_chosen() -> None:
    html = "<form method=post><select name=a><option disabled value=0>-<option value=1>1<option value=2>2</select></form>"
    assert names(html) == [("a", "1")]


def test_an_image_button_sends_where_it_was_clicked() -> None:
    assert names("<form method=post><input type=image name=go src=x.png></form>") == [
        ("go.x", "5"),
        ("go.y", "5"),
    ]


def test_controls_that_a_form_in_a_table_loses_are_its_own() -> None:
    html = "<table><form action=in.php method=post><tr><td><input name=a></td></tr><tr><td><input name=b type=hidden value=1></td></tr></form></table><input name=outside>"
    (form,) = parse_forms(html, PAGE)
    assert [control.name for control in form.controls] == ["a", "b"]
    assert form.action == "https://forum.example.org/bbs/in.php"


def test_controls_elsewhere_belong_to_the_form_they_name() -> None:
    html = "<form id=f method=post><input name=a></form><p><input name=b form=f><input name=c form=other></p>"
    (form,) = parse_forms(html, PAGE)
    assert [control.name for control in form.controls] == ["a", "b"]


def test_the_action_is_joined_to_the_base_of_the_page() -> None:
    html = '<base href="https://forum.example.org/root/"><form action="a.php?b=1#c" method=post><input name=x></form>'
    assert parse_forms(html, PAGE)[0].action == "https://forum.example.org/root/a.php?b=1"
    assert parse_forms("<form method=post><input name=x></form>", PAGE)[0].action == PAGE


@pytest.mark.parametrize(
    "trap",
    [
        '<input name=website style="display:none" value="x">',
        '<div style="position:absolute; left:-9999px"><input name=website value=x></div>',
        "<style>.trap { position: fixed; transform: translateX(-10000px) }</style><input class=trap name=website>",
        '<span class="vv_special"><input name=website></span>',
        "<input name=website hidden>",
    ],
)
def test_a_field_that_no_person_sees_is_sent_empty(trap: str) -> None:
    sent = names(f"<form method=post><input name=user value=u>{trap}</form>")
    assert sent == [("user", "u"), ("website", "")]


def test_hidden_fields_of_any_name_are_sent_as_served() -> None:
    html = '<form method=post><input type=hidden name=a8f31c value="q==&amp;"><input type=hidden name=_charset_></form>'
    assert names(html) == [("a8f31c", "q==&"), ("_charset_", "utf-8")]


def test_secrets_take_the_places_of_their_roles() -> None:
    html = "<form method=post><input name=u value=old><input type=password name=p value=old></form>"
    (form,) = parse_forms(html, PAGE)
    filled = fill(form, roles={"u": FieldRole.USER, "p": FieldRole.PASSWORD_MD5})
    assert "s3cret" not in repr(filled)
    assert pairs_of(filled, LOGIN) == [("u", "alice"), ("p", "33e1b232a4e6fa0028a6670753749a17")]
    with pytest.raises(AccessError):
        pairs_of(filled, None)


def test_a_gbk_page_sends_gbk_and_references_for_what_it_lacks() -> None:
    assert encode([("用", "测试 한")], "gbk") == b"%D3%C3=%B2%E2%CA%D4+%26%2354620%3B"
    assert form_codec("gb18030", "<meta charset=gbk>") == "gbk"
    assert form_codec("gb18030", "<meta charset=gb18030>") == "gb18030"


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=40)), max_size=8))
def test_what_is_encoded_reads_back(pairs: list[tuple[str, str]]) -> None:
    clean = [(n.encode("utf-8", "replace").decode(), v.encode("utf-8", "replace").decode()) for n, v in pairs]
    body = encode(clean, "utf-8").decode("ascii")
    if all(name for name, _ in clean):
        assert parse_qsl(body, keep_blank_values=True) == clean


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="<>/='\" abfiotmnrpuse-;:\n", max_size=300))
def test_whatever_the_markup_only_the_controls_of_a_form_are_sent(markup: str) -> None:
    for form in parse_forms(f"<form>{markup}<input name=a></form>", PAGE):
        filled = fill(form, roles={}, submit=next(iter(form.submits), None))
        names = {control.name for control in form.controls}
        assert {field.name.removesuffix(".x").removesuffix(".y") for field in filled.fields} <= names | {
            "x",
            "y",
        }


def test_multipart_keeps_names_in_their_quotes() -> None:
    body, content_type = encode_multipart([('a"b', "x\r\ny")], "utf-8")
    assert b'name="a%22b"\r\n\r\nx\r\ny\r\n' in body
    assert content_type.startswith("multipart/form-data; boundary=")
