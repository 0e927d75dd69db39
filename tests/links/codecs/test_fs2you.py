from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from tests.links.vectors import b64

PATH = "cachefile16.example.com/zh-cn/download/4582a0924c4c8b3a7055cf0dc9c742f9/demo.rmvb"


@pytest.mark.parametrize("prefix", ["", "cachefile://", "http://"])
@pytest.mark.parametrize(
    "tail", ["|380406261|demo.rmvb", "|380406261|4582a0924c4c8b3a7055cf0dc9c742f9", "|380406261"]
)
def test_the_payload_is_host_and_path_with_size_and_name(prefix: str, tail: str) -> None:
    decoded = decode_link("fs2you://" + b64(prefix + PATH + tail))
    assert decoded.url == "http://" + PATH
    assert (decoded.file_name, decoded.file_size) == ("demo.rmvb", 380406261)
    assert decoded.chain == ("fs2you",)


def test_a_gbk_path_keeps_its_bytes() -> None:
    decoded = decode_link("fs2you://" + b64("cachefile://f.example.com/电影.rmvb|5|电影.rmvb", "gb18030"))
    assert decoded.url == "http://f.example.com/%B5%E7%D3%B0.rmvb"
    assert decoded.file_name == "电影.rmvb"


def test_a_size_that_is_no_number_is_left_out() -> None:
    assert decode_link("fs2you://" + b64(PATH + "|big|x")).file_size is None


@pytest.mark.parametrize("inner", ["hello world", "no-host|5|x", "|5|x", "javascript:alert(1)|5|"])
def test_what_has_no_host_or_no_size_is_refused(inner: str) -> None:
    with pytest.raises(LinkRejected) as refused:
        decode_link("fs2you://" + b64(inner))
    assert refused.value.reason in ("not_a_link", "no_host")
