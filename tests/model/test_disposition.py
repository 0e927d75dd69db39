"""File names in Content-Disposition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.model.disposition import disposition_filename


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (b'attachment; filename="a.torrent"', "a.torrent"),
        (b"attachment; filename=a.torrent", "a.torrent"),
        (b"ATTACHMENT; FILENAME = a.torrent ; size=3", "a.torrent"),
        (b"inline", ""),
        (b"", ""),
        (b"attachment; filename=", ""),
        (b'attachment; filename=""', ""),
        (b"filename=a.torrent", "a.torrent"),
        (b'filename="a;b.torrent"', "a;b.torrent"),
        (b'attachment; filename="a;b=c.torrent"; x=y', "a;b=c.torrent"),
        (b'attachment; filename="a \\"b\\" c.torrent"', 'a "b" c.torrent'),
        (b'attachment; filename="C:\\dir\\a.torrent"', "a.torrent"),
        (b'attachment; filename="../../etc/passwd"', "passwd"),
        (b'attachment; filename=".."', ""),
        (b'attachment; filename="a\x00\x0ab.torrent"', "ab.torrent"),
        (b"attachment; filename=\"fall.torrent\"; filename*=UTF-8''%E6%B5%8B.torrent", "测.torrent"),
        (b"attachment; filename*=utf-8'zh'%E6%B5%8B.torrent; filename=x", "测.torrent"),
        (b"attachment; filename*=GBK''%B2%E2.torrent", "测.torrent"),
        (b"attachment; filename*=gb2312''%B2%E2.torrent", "测.torrent"),
        (b"attachment; filename*=UTF-8''%B2%E2.torrent", "测.torrent"),
        (b"attachment; filename*=nonsense''%E6%B5%8B.torrent", "测.torrent"),
        (b"attachment; filename*=%E6%B5%8B.torrent", "测.torrent"),
        (b"attachment; filename*=UTF-8''; filename=x.torrent", "x.torrent"),
        (b"attachment; filename*=\"UTF-8''%E6%B5%8B.torrent\"", "测.torrent"),
        ('attachment; filename="测试.torrent"'.encode(), "测试.torrent"),
        ('attachment; filename="测试.torrent"'.encode("gbk"), "测试.torrent"),
        ("attachment; filename=测试.torrent".encode("gbk"), "测试.torrent"),
        # The second byte of these GBK characters is a backslash: 0x5C.
        ('attachment; filename="乗俓.torrent"'.encode("gbk"), "乗俓.torrent"),
        (b'attachment; filename="%E6%B5%8B%E8%AF%95.torrent"', "测试.torrent"),
        (b'attachment; filename="%B2%E2%CA%D4.torrent"', "测试.torrent"),
        (b'attachment; filename="100%25 sure.torrent"', "100% sure.torrent"),
        (b'attachment; filename="100% sure.torrent"', "100% sure.torrent"),
        (b'attachment; filename="a%00b.torrent"', "a%00b.torrent"),
        (b'attachment; filename="=?utf-8?B?5rWL?=.torrent"', "测.torrent"),
        (b'attachment; filename="=?gbk?Q?=B2=E2?=.torrent"', "测.torrent"),
        (b'attachment; filename="=?utf-8?B?!!!?="', None),
        (b'attachment; filename*0="long "; filename*1=name.torrent', "long name.torrent"),
        (
            b"attachment; filename*0*=UTF-8''%E6%B5%8B; filename*1*=%E8%AF%95; filename*2=.torrent",
            "测试.torrent",
        ),
        (b'attachment; filename="caf\xe9.torrent"', None),
    ],
)
def test_the_file_name_is_read_however_it_is_written(value, name):
    found = disposition_filename(value)
    if name is None:
        assert isinstance(found, str)
    else:
        assert found == name


@given(st.binary(max_size=200).map(lambda tail: b"attachment; filename" + tail) | st.binary(max_size=200))
def test_any_bytes_give_one_harmless_segment(value):
    name = disposition_filename(value)
    assert "/" not in name
    assert "\\" not in name
    assert name not in {".", ".."}
    assert name.isprintable()


def test_a_hostile_header_is_read_in_bounded_time():
    for filler in (b"=", b";", b'"', b"\\", b"a=;", b'a="', b"%", b"=?utf-8?B?", b"\xff"):
        name = disposition_filename(b"attachment; filename=" + filler * 100_000)
        assert len(name) <= 8192
