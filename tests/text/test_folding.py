"""What a person means as one folds to one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.text.folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＦＵＬＬ　Ｗｉｄｔｈ １２３", "full width 123"),
        ("Straße", "strasse"),
        ("ｶﾞﾝﾀﾞﾑ", "ガンダム"),
        ("①２Ⅳ", "12iv"),
        ("Amélie à l'Œuvre", "amelie a l'oeuvre"),
        ("Ame\u0301lie", "amelie"),
        ("Łódź ÅÄÖ Ørsted", "lodz aao orsted"),
        ("權力的遊戲", "权力的游戏"),
        ("権力", "権力"),
        ("Ёлка", "елка"),
        ("İstanbul", "istanbul"),
        ("한국어", "한국어"),
        ("\u1112\u1161\u11ab", "한"),
    ],
)
def test_writings_of_the_same_fold_to_the_same(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF), max_size=12), st.data())
def test_a_part_of_a_chinese_text_folds_as_it_does_within_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert fold(text[start:end]) in fold(text)
