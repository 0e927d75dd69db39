"""The language of a text is guessed from its script and its everyday words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.text.language import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("这个论坛的内容需要登录后才能查看，请先注册。", "zh-Hans"),
        ("這個論壇的內容需要登錄後才能查看，請先註冊。", "zh-Hant"),
        ("このファイルをダウンロードするにはログインしてください。", "ja"),
        ("이 파일을 다운로드하려면 로그인해 주세요.", "ko"),
        ("Вы должны войти, чтобы скачать этот файл.", "ru"),
        ("Ви повинні увійти, щоб завантажити цей файл. Її немає.", "uk"),
        ("The release is out and you can get it from the list of mirrors.", "en"),
        ("Die Datei ist nicht mehr da und wird auch nicht wieder kommen.", "de"),
        ("Le fichier est dans la liste des nouveautés pour vous et pour nous.", "fr"),
        ("El archivo no está en la lista para este mes, pero sí en la otra.", "es"),
        ("Plik nie jest dostępny, ale może być pobrany tylko przez to forum.", "pl"),
        ("يمكنك تنزيل هذا الملف بعد تسجيل الدخول", "ar"),
        ("Το αρχείο δεν βρέθηκε σε αυτή τη σελίδα", "el"),
        ("[BT] Sintel S01E02 2160p x264", ""),
        ("", ""),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_the_declared_language_is_believed_only_where_the_text_does_not_say() -> None:
    assert guess_language("1080p x264", "zh-CN") == "zh-CN"
    assert guess_language("The release is out and you can get it from the list.", "zh-CN") == "en"
    assert guess_language("1080p", "<script>") == ""


def test_a_release_title_in_chinese_with_latin_parts_is_chinese() -> None:
    assert guess_language("[剧集][2002]山海情 第28集 双语字幕 BT种子") == "zh-Hans"


@given(st.text(), st.text(max_size=12))
def test_any_text_gives_a_short_tag(text: str, declared: str) -> None:
    assert len(guess_language(text, declared)) <= 35
