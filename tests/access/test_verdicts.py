"""Messages of many kinds of software are understood."""

from __future__ import annotations

import pytest

from harvester.access.verdicts import flood_seconds, login_verdict, reply_verdict, tries_left
from harvester.model.account import Verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("登录失败，您还可以尝试 4 次", Verdict.BAD_CREDENTIALS),
        ("抱歉，您输入的密码有误", Verdict.BAD_CREDENTIALS),
        ("密码错误次数过多，请 15 分钟后重新登录", Verdict.LOCKED_OUT),
        ("请选择安全提问以及填写正确的答案", Verdict.SECURITY_QUESTION),
        ("请输入验证码后继续登录", Verdict.CAPTCHA_REQUIRED),
        ("抱歉，验证码填写错误", Verdict.CAPTCHA_WRONG),
        ("欢迎您回来，新手上路 demo", Verdict.OK),
        ("You have specified an incorrect password.", Verdict.BAD_CREDENTIALS),
        ("You exceeded the maximum allowed number of login attempts.", Verdict.LOCKED_OUT),
        ("The submitted form was invalid. Try submitting again.", Verdict.FORM_REFUSED),
        ("These credentials do not match our records.", Verdict.BAD_CREDENTIALS),
        ("Incorrect password. Please try again.", Verdict.BAD_CREDENTIALS),
        ("The requested user 'x' could not be found.", Verdict.BAD_CREDENTIALS),
        (
            "You have entered an invalid username or password. You have used 2 out of 5 login attempts.",
            Verdict.BAD_CREDENTIALS,
        ),
        (
            "Please enter a correct username and password. Note that both fields may be case-sensitive.",
            Verdict.BAD_CREDENTIALS,
        ),
        ("图片代码无效！不要返回，图片代码已被清除", Verdict.CAPTCHA_WRONG),
        ("我们怀疑你在欺骗系统，因此你的IP地址已被禁止！", Verdict.LOCKED_OUT),
        ("Your account has been disabled.", Verdict.ACCOUNT_DISABLED),
        ("You have been banned from this forum.", Verdict.ACCOUNT_DISABLED),
        ("Неверный пароль", Verdict.BAD_CREDENTIALS),
        ("帐号或密码错误,您还可以尝试3次", Verdict.BAD_CREDENTIALS),
        ("Two-step verification required", Verdict.SECOND_FACTOR),
        ("You have successfully been logged in.", Verdict.OK),
    ],
)
def test_login_messages(text: str, verdict: Verdict) -> None:
    found = login_verdict(text)
    assert found is not None
    assert found[0] is verdict


def test_ordinary_words_are_no_verdict() -> None:
    assert login_verdict("Latest torrents. Forum rules. Users online: 3. 欢迎来到论坛") is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("您还可以尝试 4 次", 4),
        ("你还有 [3] 次尝试机会", 3),
        ("You have used 2 out of 5 login attempts.", 3),
        ("2 attempts remaining", 2),
        ("Welcome", None),
    ],
)
def test_tries_left_are_read(text: str, left: int | None) -> None:
    assert tries_left(text) == left


@pytest.mark.parametrize(
    ("text", "word", "seconds"),
    [
        ("抱歉，您两次发表间隔少于 15 秒，请稍候再发表", "flood", 15.0),
        ("You must wait at least 30 seconds between posts.", "flood", 30.0),
        ("You cannot make another post so soon after your last.", "flood", 0.0),
        ("回复需要审核，请等待通过", "moderated", 0.0),
        ("Your post will be visible after approval and has to be approved by a moderator.", "moderated", 0.0),
        ("This topic is locked, you cannot edit posts or make further replies.", "closed", 0.0),
        ("非常感谢，回复发布成功，现在将转入主题页", "posted", 0.0),
        ("Nice weather", "", 0.0),
    ],
)
def test_reply_messages(text: str, word: str, seconds: float) -> None:
    assert reply_verdict(text) == word
    if word == "flood":
        assert flood_seconds(text) == seconds
