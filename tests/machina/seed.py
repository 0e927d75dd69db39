"""Fills a fresh database: boards, pages of topics, posts, attachments, a member; writes `truth.json`.

What a guest may do, board by board:

- Open torrents: everything;
- Look, don't touch: read, but download nothing (an attachment's link is not shown, its URL leads to login);
- Members: nothing; the index is silent about it, but a post under Small talk links to it: to the login page;
- Staff table: nothing, and no link leads to it (members may read it like any other board);
- Small talk: read; there is no torrent in it.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from pathlib import Path

from django.contrib.auth.models import AnonymousUser, User
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import transaction
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.forum_attachments.models import Attachment
from machina.apps.forum_conversation.models import Post, Topic
from machina.apps.forum_permission.models import ForumPermission
from machina.apps.forum_permission.shortcuts import assign_perm

from harvester.demo.catalogue import Entry, torrents_of
from harvester.demo.truth import Form, TruthRow, Wall

ACCOUNT = ("member", "member-password")
LONG_TOPIC_POSTS = 23
OUTSIDE = "http://127.0.0.1:9/t/{name}.torrent"
"""Where thunder links lead: nobody listens there."""


class Seeder:
    """Makes boards and topics; `rows` is the truth about them, with paths for URLs."""

    def __init__(self) -> None:
        self.author = User.objects.create_user("keeper", "keeper@forum.example", "keeper-password")
        User.objects.create_user(ACCOUNT[0], "member@forum.example", ACCOUNT[1])
        self.rows: list[TruthRow] = []
        self._entries = iter([*torrents_of("data"), *torrents_of("music"), *torrents_of("software")])
        self._number = 0

    def board(self, parent: Forum | None, name: str, guest: tuple[str, ...]) -> Forum:
        """A board (or, without a parent, a category) and what guests may do on it."""
        kind = Forum.FORUM_CAT if parent is None else Forum.FORUM_POST
        forum = Forum.objects.create(name=name, type=kind, parent=parent, description=f"All about {name}.")
        for permission in guest:
            assign_perm(permission, AnonymousUser(), forum)
        for permission in {"can_see_forum", "can_read_forum", "can_download_file"} - set(guest):
            assign_perm(permission, AnonymousUser(), forum, has_perm=False)
        return forum

    def topic(self, forum: Forum, subject: str, text: str, replies: int) -> tuple[Topic, Post]:
        """A topic with its first post and some replies."""
        topic = Topic.objects.create(
            forum=forum,
            subject=subject,
            poster=self.author,
            type=Topic.TOPIC_POST,
            status=Topic.TOPIC_UNLOCKED,
            approved=True,
        )
        first = self._post(topic, subject, text)
        for number in range(replies):
            self._post(topic, f"Re: {subject}", f"Reply {number + 1}: thank you, seeding.")
        return topic, first

    def _post(self, topic: Topic, subject: str, text: str) -> Post:
        return Post.objects.create(
            topic=topic, subject=subject, content=text, poster=self.author, approved=True
        )

    def torrent_topic(self, forum: Forum, letter: str, wall: Wall, file_wall: Wall) -> list[str]:
        """A topic by a plan letter: a, 3 (attachments), m (magnet), h (hash), t (thunder); its file paths."""
        entries = [next(self._entries) for _ in range(3 if letter == "3" else 1)]
        self._number += 1
        text = "\n".join(f"Release notes for {entry.title}." for entry in entries)
        text += _in_text(letter, entries[0], self._number)
        replies = LONG_TOPIC_POSTS - 1 if self._number == 3 else self._number % 3
        topic, post = self.topic(forum, f"[BT] {entries[0].seed.name[:60]} {self._number}", text, replies)
        page = f"/forum/{forum.slug}-{forum.pk}/topic/{topic.slug}-{topic.pk}/"
        forms: dict[str, Form] = {"m": "magnet", "h": "plainhash", "t": "thunder"}
        if letter in forms:
            url = OUTSIDE.format(name=self._number) if letter == "t" else page
            self.rows.append(TruthRow(entries[0].seed.infohash, url, wall, page, forms[letter], "-"))
            return []
        paths = []
        for entry in entries:
            file = ContentFile(entry.seed.data, name=f"{entry.seed.infohash}.torrent")
            attachment = Attachment.objects.create(post=post, file=file, comment=entry.title)
            path = f"/attachment/{attachment.pk}/"
            paths.append(path)
            fetched = "anon" if file_wall == "none" else "login"
            self.rows.append(TruthRow(entry.seed.infohash, path, file_wall, page, "attachment", fetched))
        return paths


def _in_text(letter: str, entry: Entry, number: int) -> str:
    seed = entry.seed
    if letter == "m":
        return f"\n\n{seed.magnet()}"
    if letter == "h":
        return f"\n\nInfo hash: {seed.infohash}"
    if letter == "t":
        return f"\n\n{thunder(OUTSIDE.format(name=number))}"
    return ""


def thunder(url: str) -> str:
    """A thunder link to `url`."""
    return "thunder://" + base64.b64encode(f"AA{url}ZZ".encode()).decode()


def seed(folder: Path) -> None:
    """Migrate and fill the database of the settings, and write `truth.json` beside it."""
    call_command("migrate", verbosity=0, interactive=False)
    assert ForumPermission.objects.filter(codename="can_download_file").exists()
    with transaction.atomic():
        rows = _fill(Seeder())
    (folder / "truth.json").write_text(json.dumps([asdict(row) for row in rows]))


def _fill(seeder: Seeder) -> list[TruthRow]:
    everything = ("can_see_forum", "can_read_forum", "can_download_file")
    category = seeder.board(None, "Downloads", everything[:2])
    opened = seeder.board(category, "Open torrents", everything)
    looking = seeder.board(category, "Look do not touch", everything[:2])
    members = seeder.board(category, "Members", ())
    staff = seeder.board(category, "Staff table", ())
    chat = seeder.board(category, "Small talk", everything)
    for letter in "aa3amahatamaahaa":
        seeder.torrent_topic(opened, letter, "none", "none")
    refused: list[str] = []
    for letter in "aamaaha3aata":
        refused += seeder.torrent_topic(looking, letter, "none", "login")
    for letter in "aamaa3hataa":
        seeder.torrent_topic(members, letter, "login", "login")
    for letter in "aa":
        seeder.torrent_topic(staff, letter, "login", "login")
    for number in range(12):
        seeder.topic(chat, f"Small talk {number + 1}", "How is everyone?", number % 4)
    listing = "\n".join(f"* [file {number + 1}]({path})" for number, path in enumerate(refused[:4]))
    listing += f"\n* [the members' board](/forum/{members.slug}-{members.pk}/)"
    seeder.topic(chat, "Where the other files are", f"For members:\n\n{listing}", 0)
    return seeder.rows
