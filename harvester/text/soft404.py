"""Pages that say "not found" with status 200.

Two ways to know: what the page says, in a heading or as all that it says, and whether it is like a page that
is known to be missing (the answer to a made-up address of the same site).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from harvester.model.text import Fingerprint, PageText
from harvester.text.fingerprint import is_near_duplicate

_SHORT = 600
"""Characters of main text up to which a page can be no more than a notice."""

# What a title or heading may consist of.
_HEADING = re.compile(
    r"(?:^|[\s|:–—-])(?:error )?404(?:[\s|:.!–—-]|$)|\b(?:page|file|topic|thread|torrent|document|url"
    r"|object) (?:was )?"
    r"(?:not found|cannot be found|does not exist|is missing)|^(?:not found|oops)\b"
    r"|(?:页面|頁面|网页|网址|文件|帖子|主题|种子|内容)(?:未找到|找不到|不存在|已(?:被)?删除)|找不到(?:页面|网页|您)|未找到(?:页面|网页)?$"
    r"|страниц[аы] не (?:найден|существует)|не найден[оа]?$|ページが見つかりません"
    r"|見つかりませんでした|お探しのページ|페이지를 찾을 수 없|seite (?:wurde )?nicht gefunden"
    r"|page (?:introuvable|non trouvée)|página no encontrada"
    r"|no se encontró|página não encontrada|pagina non trovata|sayfa bulunamadı|nie znaleziono",
    re.IGNORECASE,
)

# Whole sentences of forum and tracker software; they stand in a page that says little else.
_NOTICE = re.compile(
    r"(?:requested|specified|selected) (?:topic|thread|post|forum|user|page|attachment|resource|torrent"
    r"|member|album) "
    r"(?:does not exist|could not be found|was not found|cannot be found|is no longer available)"
    r"|(?:page|file|torrent|topic|thread"
    r"|document) (?:you (?:requested|are looking for|were looking for|have requested) )?"
    r"(?:could not be|cannot be|can't be|was not|has not been) found|no (?:topic|thread|torrent"
    r"|post)s? (?:with (?:this|that) id|specified)"
    r"|Invalid (?:Thread|Topic|Post|Forum|Attachment|torrent)\b.{0,20}specified"
    r"|topic or board you are looking for appears to be"
    r"|(?:has been|was) (?:removed|deleted) (?:by|from|or)\b|no torrent with (?:that |this )?id|bad id\b"
    r"|(?:指定的?)?(?:主题|主題|帖子|帖|版块|板块|附件|种子|種子|页面|頁面|文件|资源|內容|内容)(?:不存在|已(?:被)?(?:删除|刪除|移除|关闭)|无法读取|未找到)"
    r"|没有(?:该|此|找到).{0,6}(?:ID|编号)?.{0,4}(?:种子|主题|帖子|页面|资源)|(?:链接|連結)(?:已)?(?:失效|不存在)|原附件链接已失效"
    r"|(?:тем[аы]|раздач[аи]|страниц[аы]|файл|сообщение|топик"
    r"|торрент)[^.]{0,40}(?:не (?:найден|существует)|удал[её]н)"
    r"|(?:トピック|スレッド|ページ|ファイル)(?:は|が)?(?:存在しません|見つかりません|削除され)",
    re.IGNORECASE,
)


def is_soft_404(page: PageText, missing: Sequence[Fingerprint] = ()) -> str:
    """Why the page is taken for a missing one (`text: …`, `probe`), or an empty string.

    `missing` are fingerprints of pages known to be missing (probes of made-up URLs of the same site). A page
    with a text of its own is never taken for missing by its words: a thread may be called "404 not found".
    """
    if any(is_near_duplicate(page.fingerprint, known) for known in missing):
        return "probe"
    main = page.main_text
    if len(main) > _SHORT:
        return ""
    for text in (page.heading, page.title):
        if match := _HEADING.search(text[:200]):
            return f"text: {match.group().strip()}"
    for text in (page.heading, main, page.around):
        if match := _NOTICE.search(text[: _SHORT * 5]):
            return f"text: {match.group().strip()}"
    return ""
