"""A forum of no known software that hides files behind a reply, a price or thanks, in words of its own."""

from __future__ import annotations

import re
from typing import ClassVar

from harvester.demo.forums.base import Item, Visit, Wall, hidden, number_in
from harvester.demo.server import Response
from tests.crawl.odd_forum import OddForum

NOTICES = {
    "hide-tag": '<div class="quote"><b>Hidden content:</b> You must reply here to see the links.</div>',
    "plain": "<p><i>This content is hidden. Reply to this topic to unlock it.</i></p>",
    "chinese": '<div class="hide-tips">此处内容已隐藏，请<b>评论</b>后刷新查看</div>',
    "short": '<span class="reply_hide">回复可见</span>',
    "traditional": "<table><tr><td>=&gt; 此為隱藏內容，需要回覆後才能瀏覽</td></tr></table>",
    "russian": '<div class="hidebox">Чтобы увидеть скрытый текст, нужно ответить в этой теме</div>',
    "german": "<blockquote>Sie müssen antworten, um den versteckten Inhalt zu sehen</blockquote>",
    "spanish": '<div class="x">Debes responder para ver el contenido oculto</div>',
    "japanese": '<div class="x">このコンテンツは返信すると表示されます</div>',
}
FORMS = {
    "plain": '<textarea name="text"></textarea><input type="submit" name="go" value="{send}">',
    "buttons": '<input name="title" value=""><textarea name="body" rows="9"></textarea>'
    '<button name="preview" value="1">{preview}</button><button name="send" value="1">{send}</button>',
    "bare": '<textarea name="message"></textarea><button>{send}</button>',
}
WORDS = {"en": ("Post reply", "Preview"), "zh": ("发表回复", "预览"), "ru": ("Ответить", "Предпросмотр")}
BY_THANKS = '<div class="hidebox">You must thank the author to see the hidden links.</div>'
BY_PRICE = '<div class="hidebox">This content costs 30 credits to unlock.</div>'


class HidingForum(OddForum):
    """See the module. Of what is hidden, the last is shown for thanks, the one before for a price."""

    walls: ClassVar[tuple[Wall, ...]] = ("none", "login", "reply", "reply", "none", "pay", "pay")
    acting: ClassVar[re.Pattern[str]] = re.compile(r"/leave|/thanks|/buy|/like|/report")

    def __init__(self, origin: str, *, notice: str = "plain", form: str = "plain", **options: object) -> None:
        super().__init__(origin, **options)  # type: ignore[arg-type]  # passed through
        self.notice, self.form = NOTICES[notice], FORMS[form]

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        path = visit.request.path
        if path == "/say" and visit.request.method == "POST":
            return self._say(visit)
        item = self.item(number_in(path)) if path.startswith("/item/") else None
        if item is None or item.wall not in ("reply", "pay"):
            return super().route(visit)
        inside = self._inside(visit, item)
        talk = "<p>Some words about what is offered here, by those who offer it.</p>" * 30
        return self._page(visit, f"<h1>{item.title}</h1>{talk}{inside}{self._reply_form(visit, item)}")

    def _inside(self, visit: Visit, item: Item) -> str:
        if self.may_see(visit, item):
            return f'<a href="/get?n={item.file}">{item.seed.name}.torrent</a>'
        if item.wall == "reply":
            return self.notice
        last = max(one.number for one in self.items if one.wall == "pay")
        if item.number == last:
            like = f'<a href="/like/{item.number}">Like</a>'
            return f'{BY_THANKS}<a href="/thanks?post={item.number}">Thanks</a> {like}'
        return f'{BY_PRICE}<a href="/buy?id={item.number}">Buy</a>'

    def _reply_form(self, visit: Visit, item: Item) -> str:
        if not visit.member:
            return ""
        token = visit.session.data.setdefault("say", self.token("say"))
        send, preview = WORDS.get(self.language, WORDS["en"])
        controls = self.form.format(send=send, preview=preview)
        kept = hidden({"item": str(item.number), "t": token})
        return f'<form action="/say?comment=1" method="post">{kept}{controls}</form>'

    def _say(self, visit: Visit) -> Response:
        fields = self._fields(visit)
        item = self.item(number_in(fields.get("item", "")))
        text = next((fields[name] for name in ("text", "body", "message") if name in fields), "")
        if (
            not visit.member
            or item is None
            or fields.get("t") != visit.session.data.get("say")
            or "preview" in fields
        ):
            self.refuse("reply")
            return self._page(visit, '<div class="error">Security error</div>')
        if why := self.reply_in(item, text):
            self.refuse(why)
            return self._page(visit, '<div class="error">Please wait</div>')
        return self.to(f"/item/{item.number}")
