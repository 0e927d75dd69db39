"""Bodies made to take a reader's time and memory, each just inside or beyond the limits.

Run as a program it reads each one in a process of its own and prints, as JSON, what came of it: outcome,
CPU seconds, and the largest resident memory in MB.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import resource
import sys
import time
import zlib
from collections.abc import Callable

SIZE = 10_000_000


def _info(inner: bytes, *, pieces: bytes = b"6:pieces20:" + b"h" * 20) -> bytes:
    """An `info` whose keys sort before `name` are in `inner`."""
    return b"d" + inner + b"4:name1:n12:piece lengthi16384e" + pieces + b"e"


def _torrent(inner: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    return b"d" + before + b"4:info" + _info(inner) + after + b"e"


def _filled(item: bytes, room: int = SIZE - 300) -> bytes:
    return item * (room // len(item))


def _numbered(template: Callable[[int], bytes], room: int = SIZE - 300) -> bytes:
    parts = []
    size = number = 0
    while True:
        part = template(number)
        size += len(part)
        if size > room:
            return b"".join(parts)
        parts.append(part)
        number += 1


def _text(data: bytes) -> bytes:
    return b"%d:%s" % (len(data), data)


def _random(size: int, seed: int = 7) -> bytes:
    return random.Random(seed).randbytes(size)


def _tree_file(number: int) -> bytes:
    return b"5:%05xd0:d6:lengthi0eee" % number if number < 1 << 20 else b""


def _files(item: Callable[[int], bytes]) -> bytes:
    return _torrent(b"5:filesl" + _numbered(item) + b"e")


def _v2(tree: bytes, after: bytes = b"") -> bytes:
    return (
        b"d4:infod9:file tree" + tree + b"12:meta versioni2e4:name1:n12:piece lengthi16384ee" + after + b"e"
    )


def _bomb(content: bytes, megabytes: int) -> bytes:
    compressor = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    parts = [compressor.compress(content)]
    parts += [compressor.compress(b"\0" * 1_000_000) for _ in range(megabytes)]
    return b"".join([*parts, compressor.flush()])


def _unknown(value: bytes) -> bytes:
    """The value under a key that nobody reads."""
    return _torrent(b"6:lengthi1e", after=b"1:x" + value)


ONE = b"6:lengthi1e"
BODIES: dict[str, Callable[[], bytes]] = {
    "empty lists": lambda: _unknown(b"l" + _filled(b"le") + b"e"),
    "empty lists up to the limit": lambda: _unknown(b"l" + _filled(b"le", 1_400_000) + b"e"),
    "empty dictionaries": lambda: _unknown(b"l" + _filled(b"de") + b"e"),
    "empty dictionaries up to the limit": lambda: _unknown(b"l" + _filled(b"de", 720_000) + b"e"),
    "small dictionaries": lambda: _unknown(b"l" + _filled(b"d0:0:e") + b"e"),
    "zeros": lambda: _unknown(b"l" + _filled(b"i0e") + b"e"),
    "large integers": lambda: _unknown(b"l" + _filled(b"i999999e") + b"e"),
    "empty strings": lambda: _unknown(b"l" + _filled(b"0:") + b"e"),
    "strings of two": lambda: _unknown(b"l" + _filled(b"2:ab") + b"e"),
    "lists of one string": lambda: _unknown(b"l" + _filled(b"l2:abe") + b"e"),
    "leading zeros": lambda: _unknown(b"l" + _filled(b"i00e") + b"e"),
    "odd integers": lambda: _unknown(b"l" + _filled(b"i1.5e") + b"e"),
    "many keys": lambda: _unknown(
        b"d" + _numbered(lambda n: b"4:%04x0:" % n if n < 65_536 else b"5:%05x0:" % n) + b"e"
    ),
    "many keys, unsorted": lambda: _unknown(
        b"d" + _numbered(lambda n: b"5:%05x0:" % ((n * 7919) % (1 << 20))) + b"e"
    ),
    "nested lists, open": lambda: _filled(b"d1:al"),
    "nested lists": lambda: b"d1:a" + b"l" * 4_900_000 + b"e" * 4_900_000 + b"e",
    "nested dictionaries": lambda: _filled(b"d0:"),
    "digits of a length": lambda: b"d" + b"9" * (SIZE - 2),
    "digits of an integer": lambda: b"d1:ai" + b"9" * (SIZE - 8) + b"ee",
    "integers of 4,000 digits": lambda: _unknown(b"l" + _filled(b"i" + b"9" * 4000 + b"e") + b"e"),
    "integers of 300 digits": lambda: _unknown(b"l" + _filled(b"i" + b"9" * 300 + b"e") + b"e"),
    "an integer without an end": lambda: b"d1:ai" + b"1" * (SIZE - 10),
    "minus signs": lambda: b"d1:ai" + b"-" * (SIZE - 10) + b"ee",
    "small files": lambda: _files(lambda n: b"d6:lengthi1e4:pathl1:aee"),
    "small files of different names": lambda: _files(lambda n: b"d6:lengthi1e4:pathl%see" % _text(b"%x" % n)),
    "files up to the limit": lambda: _torrent(
        b"5:filesl"
        + b"".join(b"d6:lengthi1e4:pathl%see" % _text(b"%x.txt" % n) for n in range(99_000))
        + b"e"
    ),
    "files of one name up to the limit": lambda: _torrent(
        b"5:filesl" + b"d6:lengthi1e4:pathl1:aee" * 99_000 + b"e"
    ),
    "files with long names": lambda: _torrent(
        b"5:filesl" + b"".join(b"d6:lengthi1e4:pathl%see" % _text(b"%078x" % n) for n in range(85_000)) + b"e"
    ),
    "files with GBK names": lambda: _torrent(
        b"5:filesl"
        + b"".join(
            b"d6:lengthi1e4:pathl%see" % _text("种子文件".encode("gbk") + b"%x" % n) for n in range(99_000)
        )
        + b"e"
    ),
    "files with random names": lambda: _torrent(
        b"5:filesl"
        + b"".join(b"d6:lengthi1e4:pathl%see" % _text(_random(8, n)) for n in range(99_000))
        + b"e"
    ),
    "files with twins": lambda: _torrent(
        b"5:filesl"
        + b"".join(
            b"d6:lengthi1e4:pathl%se10:path.utf-8l%see"
            % (_text("文件".encode("gbk") + b"%x" % n), _text(b"%x" % n))
            for n in range(99_000)
        )
        + b"e"
    ),
    "files in folders": lambda: _torrent(
        b"5:filesl"
        + b"".join(b"d6:lengthi1e4:pathl1:a1:b1:c1:d1:e%see" % _text(b"%x" % n) for n in range(99_000))
        + b"e"
    ),
    "pad files": lambda: _torrent(
        b"5:filesl" + b"d4:attr1:p6:lengthi1ee" * 98_000 + b"d6:lengthi1e4:pathl1:aeee"
    ),
    "symbolic links": lambda: _torrent(
        b"5:filesl"
        + b"".join(b"d4:attr1:l4:pathl%se12:symlink pathl1:a1:bee" % _text(b"%x" % n) for n in range(99_000))
        + b"e"
    ),
    "bad file entries": lambda: _torrent(b"5:filesl" + _filled(b"de") + b"d6:lengthi1e4:pathl1:aeee"),
    "bad file entries up to the limit": lambda: _torrent(
        b"5:filesl" + b"de" * 340_000 + b"d6:lengthi1e4:pathl1:aeee"
    ),
    "a path of many components": lambda: _torrent(b"5:filesld6:lengthi1e4:pathl" + _filled(b"1:a") + b"eee"),
    "paths of many components": lambda: _torrent(
        b"5:filesl" + _filled(b"d6:lengthi1e4:pathl" + b"1:a" * 200 + b"ee", 7_000_000) + b"e"
    ),
    "a long component": lambda: _torrent(b"5:filesld6:lengthi1e4:pathl%seee" % _text(b"a" * (SIZE - 300))),
    "a long random component": lambda: _torrent(
        b"5:filesld6:lengthi1e4:pathl%seee" % _text(_random(SIZE - 300))
    ),
    "a long name": lambda: _torrent(ONE).replace(b"1:n", _text(b"n" * (SIZE - 300))),
    "a long random name": lambda: _torrent(ONE).replace(b"1:n", _text(_random(SIZE - 300))),
    "a long GBK name": lambda: _torrent(ONE).replace(b"1:n", _text("种子".encode("gbk") * 2_400_000)),
    "a long name of control characters": lambda: _torrent(ONE).replace(b"1:n", _text(b"\x01" * (SIZE - 300))),
    "a long comment": lambda: _torrent(ONE, before=b"7:comment" + _text(_random(SIZE - 300))),
    "small file tree": lambda: _v2(b"d" + _numbered(_tree_file) + b"e"),
    "file tree up to the limit": lambda: _v2(b"d" + b"".join(map(_tree_file, range(99_000))) + b"e"),
    "deep file tree": lambda: _v2(b"d1:a" * 95 + b"d0:d6:lengthi0eee" + b"e" * 95),
    "many deep branches": lambda: _v2(
        b"d"
        + b"".join(b"5:%05x" % n + b"d1:a" * 90 + b"d0:d6:lengthi0eee" + b"e" * 90 for n in range(3_000))
        + b"e"
    ),
    "piece layers": lambda: _v2(
        b"d1:ad0:d6:lengthi9e11:pieces root32:" + b"r" * 32 + b"eee",
        b"12:piece layersd" + _numbered(lambda n: b"32:%032x0:" % n, 9_000_000) + b"e",
    ),
    "trackers": lambda: _torrent(
        ONE, before=b"13:announce-listl" + _filled(b"l8:udp://a/e", 7_000_000) + b"e"
    ),
    "different trackers": lambda: _torrent(
        ONE,
        before=b"13:announce-listl"
        + _numbered(lambda n: b"l%se" % _text(b"udp://%x/" % n), 7_000_000)
        + b"e",
    ),
    "one long tracker": lambda: _torrent(
        ONE, before=b"8:announce" + _text(b"http://a/" + b"a" * (SIZE - 400))
    ),
    "bad trackers": lambda: _torrent(ONE, before=b"13:announce-listl" + _filled(b"2:ab", 7_000_000) + b"e"),
    "web seeds": lambda: _torrent(
        ONE, after=b"8:url-listl" + _numbered(lambda n: _text(b"http://%x/" % n)) + b"e"
    ),
    "nodes": lambda: _torrent(ONE, after=b"5:nodesl" + _filled(b"l1:ai1ee", 7_000_000) + b"e"),
    "similar torrents": lambda: _torrent(
        ONE, after=b"7:similarl" + _numbered(lambda n: b"20:%020x" % n) + b"e"
    ),
    "pieces": lambda: _torrent(ONE).replace(b"20:" + b"h" * 20, _text(_random(9_999_800))),
    "trailing bytes": lambda: _torrent(ONE) + b"x" * (SIZE - 300),
    "trailing lists": lambda: _torrent(ONE) + b"l" * (SIZE - 300),
    "more than the limit": lambda: _torrent(ONE) + b"x" * SIZE,
    "a gzip bomb": lambda: _bomb(b"\0", 200),
    "a gzip bomb that begins like a torrent": lambda: _bomb(b"d8:announce", 30),
    "a gzip bomb of lists": lambda: gzip.compress(_unknown(b"l" + _filled(b"le") + b"e")),
    "a zlib bomb": lambda: zlib.compress(b"d" * 50_000_000, 9),
    "blanks": lambda: b" " * SIZE,
    "a BOM and blanks": lambda: b"\xef\xbb\xbf" + b"\n" * (SIZE - 300) + _torrent(ONE),
    "titles": lambda: _filled(b"<title"),
    "open tags": lambda: b"<html>" + _filled(b"<title "),
    "a long title": lambda: b"<html><title>" + b"a" * SIZE,
    "text": lambda: b"hello " * 1_600_000,
    "charsets": lambda: b"<html><title>\xc4\xe3</title>" + _filled(b"charset="),
    "random bytes": lambda: b"d" + _random(SIZE - 1),
    "random digits": lambda: b"d1:" + bytes(random.Random(3).choices(b"0123456789:iel", k=SIZE - 3)),
}

# Left to the benchmark, which reads all: each is like another one here and takes about a second.
BENCHMARK_ONLY = frozenset(
    {
        "a long GBK name",
        "a path of many components",
        "bad trackers",
        "different trackers",
        "empty strings",
        "files in folders",
        "files of one name up to the limit",
        "files up to the limit",
        "files with long names",
        "files with random names",
        "files with twins",
        "integers of 4,000 digits",
        "lists of one string",
        "many deep branches",
        "many keys",
        "nodes",
        "odd integers",
        "pad files",
        "paths of many components",
        "small file tree",
        "small files",
        "small files of different names",
        "strings of two",
        "trackers",
        "zeros",
    }
)


def measure(name: str, body: bytes) -> dict[str, object]:
    """Read one body with `parse_torrent` in this process."""
    from harvester.errors import HarvestError
    from harvester.torrents import parse_torrent

    start = time.process_time()
    try:
        torrent = parse_torrent(body)
        outcome = f"a torrent of {len(torrent.files)} files"
    except HarvestError as error:
        outcome = str(error)
    seconds = time.process_time() - start
    return {
        "name": name,
        "outcome": outcome,
        "seconds": round(seconds, 3),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main(names: list[str]) -> int:
    """Measure each body in a forked child; a child that dies is reported as such."""
    import harvester.torrents  # noqa: F401 - loaded once, before the forks

    for name in names or BODIES:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            result = measure(name, BODIES[name]())
            os.write(writing, json.dumps(result).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            line = pipe.read()
        os.waitpid(child, 0)
        print(line or json.dumps({"name": name, "outcome": "died", "seconds": 0, "megabytes": 0}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
