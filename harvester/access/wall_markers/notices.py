"""Sentences by which any site says that a part of a page is kept back, in many languages.

`{n}` stands for up to n characters of one sentence. A `weak` pattern is said in other places as well, so it
counts only in a block that is made for what is hidden.
"""

from __future__ import annotations

import re

from msgspec import Struct

from harvester.model.wall import WallKind

_SEE = r"(?:see|view|read|unlock|access|reveal|display|show)"
_HIDDEN = r"(?:hidden|content|links?|text|messages?|attachments?|downloads?|data|block|section|this|it)\b"
_REPLY = r"(?:repl(?:y|ied|ying)|respond(?:ed)?|comment(?:ed|ing)?|post(?:ed|ing)? (?:a )?(?:reply|comment|message)|answer(?:ed)?)\b"
_ZH_REPLY = r"(?:回[复復覆帖]|跟[帖貼]|评论|評論|留言)"
_ZH_SEE = r"(?:可[见見]|查看|浏览|瀏覽|看到|看[见見]|显示|顯示|下[载載]|[阅閱][读讀]|解[锁鎖])"
_ZH_END = r"(?:$|[^一-鿿]|[内內]容|[隐隱]藏|附件|下[载載]|[链鏈]接|全部|[资資]源|更多|地址|密[码碼]|本|此|该|該|哦|喔)"
_UNIT = r"(?:credits?|points?|coins?|gold|tokens?|bonus|积分|積分|金[币幣钱錢]|贡献|威望|баллов|очков|кредит)"

BY_HAND = "the operator's own thanks, given in a browser: Harvest presses no such button"
MORE_POSTS = "an account with enough posts or a higher standing"
ENOUGH_POINTS = "an account with enough points; a reply does not help"


class Notice(Struct, frozen=True):
    """One wall's sentences; `needed` has one group for what the wall asks for."""

    kind: WallKind
    strong: str
    weak: str = ""
    needed: str = ""
    opens_by: str = ""


NOTICES: tuple[Notice, ...] = (
    Notice(
        WallKind.PERMISSION,
        rf"(?:at least|minimum of|more than) \d+ (?:posts?|messages?)\b{{60}}{_SEE}|{_SEE}{{60}}(?:at least|minimum of|more than) \d+ (?:posts?|messages?)\b"
        r"|не менее \d+ сообщ|(?:发[帖贴]|帖子|回[帖复])数?(?:大于|达到|超过|不少于)\s?\d+",
        needed=r"(\d+)",
        opens_by=MORE_POSTS,
    ),
    Notice(
        WallKind.PAY,
        rf"(?:need|must have|requires?|at least|costs?|price:?|pay)\b{{20}}\b\d+ {_UNIT}{{40}}(?:{_SEE}|buy|purchase|{_HIDDEN})"
        rf"|(?:{_SEE}|buy|purchase|{_HIDDEN}){{40}}(?:need|must have|requires?|at least|costs?|price:?|pay|for)\b{{20}}\b\d+ {_UNIT}"
        r"|(?:付费|付費|收费|收費)(?:内容|內容|主题|阅读|可见)|(?:售价|售價|价格|價格)\s?[:：]?\s?\d+{12}(?:购买|購買|可见|查看)|(?:购买|購買|支付|付费|付費)[后後]{4}(?:可见|可見|查看|浏览|下载)"
        rf"|(?:需要?|须|請|请先?)(?:支付|付费|花费|消耗)\s?\d*{{10}}{_ZH_SEE}|(?:积分|積分|金[币幣钱錢]|威望)(?:大于|高于|达到|超过|不低于)\s?\d+",
        needed=r"(\d+\s*\S{0,8})",
    ),
    Notice(
        WallKind.REPLY,
        rf"(?:must|need to|needs? to|have to|has to|required to|please|should|until you|unless you|members? who|users? who){{40}}\b{_REPLY}{{60}}\b(?:{_SEE}|hidden)\b"
        rf"|\b(?:to|order to) {_SEE}\b{{40}}{_HIDDEN}{{40}}\b{_REPLY}"
        rf"|(?:hidden|visible|shown|available|accessible|revealed){{30}}\b(?:to|for|after|until|unless|once){{30}}{_REPLY}"
        rf"|(?:is|are) hidden\W{{10}}{_REPLY}{{40}}{_SEE}"
        rf"|(?:需要?|必[须須]|請先?|请先?|[须須]|得先|您要){{4}}{_ZH_REPLY}{{14}}{_ZH_SEE}"
        rf"|{_ZH_REPLY}(?:本[帖贴貼文主][题題]?|[审審]核通[过過]|成功|\s?并?刷新|\s?[后後即便就才方能可以，,]){{1,8}}\s?(?:{_ZH_SEE}|见|見){_ZH_END}"
        rf"|(?:隐藏|隱藏|加密)(?:的)?(?:内容|內容|资源|部分){{14}}{_ZH_REPLY}{{10}}{_ZH_SEE}"
        r"|(?:чтобы|для того|для просмотра){60}(?:ответ(?:ить|ьте|а)|оставить (?:ответ|комментарий)|напи(?:сать|шите)|комментировать)"
        r"|(?:ответьте|нужно ответить|оставьте (?:ответ|комментарий|сообщение)|необходимо ответить){40}(?:чтобы|увидеть|просмотр)|скрыт(?:ый|ого|ое) (?:текст|содержимое){60}(?:ответ|комментари)"
        r"|(?:müssen|musst|bitte){20}(?:antworten|kommentieren|beitrag schreiben|posten){40}(?:sehen|anzuzeigen|sichtbar|freizuschalten)"
        r"|(?:devez|faut|veuillez|merci de){20}(?:répondre|commenter|poster){40}(?:voir|afficher|accéder|débloquer)"
        r"|(?:debes?|tienes que|necesitas?|deves?|precisas?|tem que|hay que){20}(?:responder|comentar){40}(?:ver|visualizar|mostrar|acceder|acessar)\b"
        r"|(?:devi|bisogna|occorre){20}(?:rispondere|commentare){40}(?:vedere|visualizzare|leggere)"
        r"|(?:aby|żeby) (?:zobaczyć|wyświetlić){40}(?:odpowied|skoment)|(?:musisz|należy) (?:odpowiedzieć|skomentować)"
        r"|görmek için{40}(?:cevap|yorum|yanıt)|(?:cevap|yorum|yanıt) (?:yaz|ver){30}gör"
        r"|(?:phải|cần|hãy|vui lòng){12}(?:trả lời|bình luận){30}(?:xem|thấy|hiển thị)"
        r"|(?:返信|コメント)(?:する|した|して|後|を){12}(?:表示|閲覧|見る|見え)|(?:보려면|보시려면|확인하려면){20}(?:댓글|답글)|(?:댓글|답글){20}(?:볼 수|보입|보여|확인할)",
        weak=rf"{_REPLY}{{30}}\bto {_SEE}\b|{_ZH_REPLY}可[见見]|{_ZH_REPLY}{{3}}[后後]?刷新|оставьте ответ|reply (?:required|needed)",
    ),
    Notice(
        WallKind.PERMISSION,
        rf"(?:thank|like|react|rate){{40}}\bto {_SEE}\b{{30}}{_HIDDEN}|(?:must|need to|have to|please|press|click){{30}}\b(?:thanks?|like|react)\b{{40}}\b{_SEE}"
        r"|(?:感谢|感謝|点赞|點讚|點贊)(?:作者|楼主|本[帖文])?(?:[后後]|即|才)(?:[即才方]?[可能]?以?)(?:[见見]|查看|看到|下载)|(?:收藏|打赏|分享|关注)[后後]即?才?[可能]以?(?:[见見]|查看|看到|下载)"
        r"|(?:нажмите|скажите)\W{0,3}(?:кнопку\W{0,3})?спасибо{30}(?:чтобы|увидеть)",
        opens_by=BY_HAND,
    ),
    Notice(
        WallKind.LOGIN,
        rf"(?:log ?in|sign ?in|register|sign ?up|logged[- ]in|registered)\b{{30}}\b(?:to|can|may|in order to) (?:(?:{_SEE}|download)\b{{16}}{_HIDDEN})"
        rf"|(?:guests?|visitors?) (?:cannot|can ?not|can't|may not|are not allowed to) (?:{_SEE}|download)\b{{20}}(?:links?|attachments?|files?|images?|content|hidden)"
        rf"|you (?:are not allowed to|cannot|can't) {_SEE} (?:the )?(?:hidden )?(?:links?|content)\b"
        r"|(?:hidden|visible|available)\b{24}\b(?:to|for) (?:registered |logged[- ]in )?(?:members|users)(?: only)?|(?:members|registered users) only"
        r"|do not have sufficient rights to view the hidden"
        r"|登[录錄入陆]{4}[后後]?{3}(?:可[见見]|才?[能可](?:以)?(?:下[载載]|查看|[浏瀏]|看)|下[载載]附件|(?:查看|檢視|检视)附件)|登[录錄入陆]可[见見]"
        r"|(?:только|лишь) (?:для )?(?:зарегистрированн|авторизованн)|(?:nur|erst) für (?:registrierte|angemeldete)|s[oó]lo (?:los )?usuarios registrados|(?:réservé|visible)s?{20}(?:membres|inscrits)|apenas (?:para )?(?:usuários|membros) registrad|solo (?:gli )?utenti registrati",
        weak=r"(?:log ?in|sign ?in|register) to download|(?:not allowed|无法|無法) ?to? ?(?:download|下载|下載)",
    ),
)


TRIGGER = (
    r"(?:to|can) (?:see|view|unlock|access|reveal|display)\b|visible (?:only )?(?:to|for|after) |(?:content|text|message|section|links?) (?:is|are) hidden"
    r"|hidden (?:content|text|links?|message|data|section|block)|(?:see|view) (?:links|the (?:content|hidden|link))"
    r"|(?:回[复復覆帖]|跟[帖貼]|评论|評論|留言|购买|購買|付费|付費|支付|登[录錄入陆]|感谢|感謝|[点點][赞贊讚])[^<>/|,，]{0,8}(?:可[见見]|查看|檢視|浏览|瀏覽|看到|看[见見]|下[载載]|刷新)"
    r"|[后後](?:[才方]?[能可]以?|即可|便可|刷新)(?:查看|见|見|浏览|瀏覽|看|下[载載]|显示)|[隐隱]藏的?(?:[内內]容|[资資]源|部分)|(?:积分|積分|威望)(?:大于|高于|达到)|付[费費](?:[内內]容|主题)|[帖回]数?(?:大于|达到)"
    r"|чтобы (?:увидеть|просмотр|скачать)|для просмотра|скрыт(?:ый|ого|ое) |зарегистрированн|zu sehen|anzuzeigen|sichtbar|registrierte"
    r"|pour (?:voir|afficher|accéder|débloquer)|para (?:ver|visualizar|mostrar|acce|aces)|usuarios registrados|per (?:vedere|visualizzare)|[aż][bż]e?y zobaczy"
    r"|görmek için|để (?:xem|thấy)|(?:返信|コメント)(?:する|した|して|後)|보려면|볼 수"
)
"""What must be in the source of a page for its text to be searched (RE2): rare where nothing is hidden."""


def in_text(pattern: str) -> str:
    """The pattern over text, its gaps spelled out; `{m,n}` of an ordinary repetition stays."""
    return re.sub(r"\{(\d{1,2})\}", r"[^.。！!<>]{0,\1}?", pattern)
