"""The Chinese of the accounts page."""

from __future__ import annotations

ENGLISH = {
    "asked:image": "the characters in a picture",
    "asked:question": "a question",
    "asked:second_factor": "the code of the second factor",
    "asked:security_question": "a security question",
}
CHINESE = {
    "asked:image": "图片中的字符",
    "asked:question": "问题",
    "asked:second_factor": "两步验证代码",
    "asked:security_question": "安全提问",
    "Account": "账号",
    "Accounts": "账号",
    "{n} wait for you": "{n} 个账号在等你",
    "What sites ask of you, and how your accounts are doing.": "各站点要求你做的事，以及账号的状态。",
    "No account yet. Add one on the server:": "还没有账号。在服务器上添加：",
    "The site asks for {what}": "站点要求：{what}",
    "{n} s left": "剩余 {n} 秒",
    "too late": "已过期",
    "The picture that the site shows": "站点显示的图片",
    "Question": "问题",
    "Answer": "答案",
    "Send the answer": "提交答案",
    "Your answer is on its way.": "答案正在提交。",
    "Under way: this takes a few seconds.": "正在进行，需要几秒钟。",
    "Ask the site again": "重新请求站点",
    "Log in now": "立即登录",
    "Next step: {step}": "下一步：{step}",
    "Replies that wait for your word": "等待你批准的回复",
    "Post it": "发表",
    "Do not post it": "不发表",
    "Post all of them": "全部发表",
    "What was done in your name": "以你的名义做过的事",
}
