"""Whole texts of links that change something, in the languages of forums and trackers.

A text alone proves little (a thread may be called "Delete"); `policy.never_fetch` says beside what it counts.
"""

from __future__ import annotations

LOGOUT = frozenset(
    (
        *("log out", "logout", "log off", "logoff", "sign out", "signout", "sign off"),
        *("退出", "退出登录", "退出登陆", "安全退出", "注销", "登出", "退出登錄", "ログアウト", "로그아웃"),
        *("выход", "выйти", "вихід", "изход", "abmelden", "ausloggen", "déconnexion", "se déconnecter"),
        *("cerrar sesión", "desconectar", "esci", "disconnetti", "uitloggen", "afmelden", "wyloguj"),
        *("wyloguj się", "odhlásit", "odhlásit se", "logga ut", "logg ut", "log ud", "sair", "çıkış"),
        *("çıkış yap", "kirjaudu ulos", "kijelentkezés", "deconectare", "đăng xuất"),
    )
)
"""These end a member's session, however their address looks."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "delete": (
        *("delete", "remove", "delete post", "trash", "删除", "移除", "刪除", "削除", "삭제", "удалить"),
        *("видалити", "löschen", "entfernen", "supprimer", "eliminar", "borrar", "excluir", "apagar"),
        *(
            "elimina",
            "cancella",
            "verwijderen",
            "usuń",
            "smazat",
            "ta bort",
            "slett",
            "slet",
            "sil",
            "poista",
        ),
        *("törlés", "șterge", "изтрий", "xóa"),
    ),
    "thank": (
        *("like", "unlike", "dislike", "thanks", "thank", "say thanks", "upvote", "赞", "点赞", "讚", "感谢"),
        *(
            "感謝",
            "いいね",
            "좋아요",
            "нравится",
            "мне нравится",
            "спасибо",
            "gefällt mir",
            "danke",
            "bedanken",
        ),
        *("j'aime", "merci", "me gusta", "gracias", "curtir", "gosto", "obrigado", "mi piace", "grazie"),
        *(
            "vind ik leuk",
            "bedankt",
            "lubię to",
            "dziękuję",
            "líbí se mi",
            "gilla",
            "liker",
            "beğen",
            "teşekkür",
        ),
        *("tykkää", "tetszik", "îmi place", "харесвам", "thích"),
    ),
    "vote": (
        *(
            "vote",
            "vote up",
            "vote down",
            "投票",
            "支持",
            "反对",
            "顶",
            "踩",
            "голосовать",
            "abstimmen",
            "voter",
        ),
        *("votar", "vota", "stemmen", "głosuj", "hlasovat", "rösta", "oy ver", "推荐", "추천"),
    ),
    "report": (
        *("report", "report post", "flag", "举报", "檢舉", "報告", "通報", "신고", "пожаловаться", "жалоба"),
        *("melden", "beitrag melden", "signaler", "reportar", "denunciar", "segnala", "rapporteren", "zgłoś"),
        *("nahlásit", "anmäl", "rapporter", "şikayet et", "bildir", "ilmianna", "jelentés", "raportează"),
    ),
    "subscribe": (
        *(
            "subscribe",
            "unsubscribe",
            "watch",
            "unwatch",
            "follow",
            "unfollow",
            "订阅",
            "訂閱",
            "关注",
            "關注",
        ),
        *(
            "フォロー",
            "구독",
            "подписаться",
            "отписаться",
            "abonnieren",
            "s'abonner",
            "suivre",
            "suscribirse",
        ),
        *(
            "seguir",
            "subscrever",
            "iscriviti",
            "segui",
            "volgen",
            "subskrybuj",
            "obserwuj",
            "sledovat",
            "följ",
        ),
    ),
    "bookmark": (
        *(
            "bookmark",
            "favorite",
            "add to favorites",
            "收藏",
            "加入收藏",
            "お気に入り",
            "в избранное",
            "merken",
        ),
        *("lesezeichen", "ajouter aux favoris", "añadir a favoritos", "favoritar", "aggiungi ai preferiti"),
    ),
    "mark_read": (
        *(
            "mark read",
            "mark all read",
            "mark as read",
            "mark forums read",
            "标记已读",
            "全部已读",
            "既読にする",
        ),
        *(
            "отметить как прочитанное",
            "отметить всё как прочтённое",
            "als gelesen markieren",
            "marquer comme lu",
        ),
        *("marquer tous comme lus", "marcar como leído", "marcar como lido", "segna come già letto"),
        *("markeer als gelezen", "oznacz jako przeczytane", "označit jako přečtené", "markera som läst"),
    ),
    "post_form": (
        *(
            "reply",
            "quote",
            "edit",
            "post reply",
            "new topic",
            "回复",
            "回覆",
            "引用",
            "编辑",
            "編輯",
            "返信",
            "답글",
        ),
        *(
            "ответить",
            "цитировать",
            "цитата",
            "изменить",
            "редактировать",
            "antworten",
            "zitieren",
            "bearbeiten",
        ),
        *("répondre", "citer", "modifier", "responder", "citar", "editar", "rispondi", "cita", "modifica"),
        *(
            "reageren",
            "citeren",
            "bewerken",
            "odpowiedz",
            "cytuj",
            "edytuj",
            "odpovědět",
            "citovat",
            "upravit",
        ),
        *("svara", "citera", "redigera", "yanıtla", "alıntı", "düzenle"),
    ),
    "pay": (
        *("buy", "purchase", "donate", "购买", "購買", "打赏", "充值", "捐赠", "купить", "kaufen", "acheter"),
        *("comprar", "acquista", "kopen", "kup", "koupit", "köp", "satın al", "exchange", "use token"),
    ),
    "check_in": ("check in", "daily check-in", "签到", "簽到", "每日签到", "打卡", "サインイン", "출석"),
}

ACTS: dict[str, str] = {text: reason for reason, texts in _TEXTS.items() for text in texts}
"""Each text, lower case, with the reason that it is one for."""
