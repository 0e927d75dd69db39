"""What the demo forum says and refuses, in Discuz' own words, and what its robots.txt forbids."""

from __future__ import annotations

import re

PER_PAGE = 10
LOGIN_TRIES = 5
MESSAGE_MINIMUM = 10
"""Least bytes of a reply, as Discuz ships it."""

ROBOTS = """User-agent: *
Disallow: /misc.php
Disallow: /search.php
Disallow: /home.php?mod=spacecp
Disallow: /member.php
Disallow: /forum.php?mod=post*
Disallow: /forum.php?mod=redirect*
Disallow: /*?mod=misc*
Disallow: /*mobile=yes*
"""
FORBIDDEN = re.compile(
    r"/misc\.php|/search\.php|/home\.php\?mod=spacecp|/member\.php|/forum\.php\?mod=(post|redirect)"
    r"|/[^?]*\?mod=misc|/.*mobile=yes"
)
STATE_CHANGING = re.compile(
    r"action=(logout|rate|attachpay|pay|markread|recommend)\b|ac=(favorite|friend)\b|mod=report\b"
)

PAY = re.compile(r"mod=misc&action=(?:attach)?pay&")

NO_THREAD = "抱歉，指定的主题不存在或已被删除或正在被审核"
NO_BOARD = "抱歉，指定的版块不存在"
NO_ATTACHMENT = "抱歉，该附件无法读取"
GUESTS_NO_BOARD = "抱歉，您尚未登录，没有权限访问该版块"
GUESTS_NO_REPLY = "抱歉，您尚未登录，没有权限在该版块回帖"
GUESTS_NO_ATTACHMENT = "抱歉，您尚未登录，没有权限下载本附件"
WRONG_FORM = "您的请求来路不正确或表单验证串不符，无法提交"
