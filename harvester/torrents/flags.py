"""The words that flag what is unusual about a torrent file, each with its sentence.

A flag never means that the file was refused; it means that something was read tolerantly, or that a reader
or another program may see it differently.
"""

from __future__ import annotations

from types import MappingProxyType

FLAGS = MappingProxyType(
    {
        # around the torrent
        "gzip": "The file came compressed with gzip or zlib.",
        "damaged_gzip": "The compressed data ends early or is damaged behind the torrent.",
        "leading_bom": "A byte order mark stands before the torrent; it is left out.",
        "leading_blanks": "Blanks or blank lines stand before the torrent; they are left out.",
        "trailing_bytes": "Other bytes follow the end of the torrent; they are left out.",
        "sent_as_html": "The server called the torrent a web page.",
        # bencode
        "unsorted_keys": "A dictionary has its keys in the wrong order.",
        "duplicate_keys": "A dictionary has a key twice; the first one counts.",
        "leading_zero": "An integer or a length is written with leading zeros or as minus zero.",
        "odd_integer": "An integer is not written as one; it is read as text.",
        # info
        "merkle": "The torrent has a Merkle root instead of piece hashes (BEP 30).",
        "unsupported_version": "The torrent is of a version newer than 2; its v1 part is read.",
        "file_tree_missing": "The torrent says it is version 2 and has no file tree; its v1 part is read.",
        "file_tree_unversioned": "The torrent has a file tree and does not say that it is version 2.",
        "bad_pieces": "The v1 piece hashes of a version 2 torrent are not in units of 20 bytes.",
        "piece_count_mismatch": "The number of piece hashes does not fit the size of the content.",
        "bad_piece_length": "The piece length is too large, or for version 2 no power of two from 16 KiB.",
        "length_and_files": "The torrent has both a single length and a list of files; the list counts.",
        "bad_file_entry": "A file of the list has no usable path or size; it is left out.",
        "no_content": "All files together are empty.",
        "size_overflow": "The files together are larger than 64 bits can say.",
        "single_file_as_list": "A torrent of one file is written as a list of files, in a folder.",
        "missing_symlink_target": "A symbolic link has no target; it is left out.",
        "unsafe_symlink": "The target of a symbolic link leads out of the torrent's folder; it is made safe.",
        "name_is_infohash": "The name is empty or has nothing that can be shown; the infohash stands for it.",
        "hybrid_mismatch": "The v1 and v2 file lists of a hybrid torrent do not match.",
        "bad_pieces_root": "A file of the file tree has no valid Merkle root.",
        "bad_pad_file": "The file tree marks a file as padding, which version 2 forbids.",
        "piece_layers_missing": "Piece layers of a version 2 torrent are missing; peers have to send them.",
        "bad_piece_layers": "The piece layers of a version 2 torrent do not fit its files.",
        "similar": "The torrent names similar torrents (BEP 38).",
        "ssl": "The torrent holds a certificate for encrypted swarms.",
        "feed": "The torrent is part of a distributed feed (BEP 49 or an update URL of BEP 39).",
        "signed": "The torrent carries signatures (BEP 35); they are not checked.",
        # outer keys
        "announce_not_in_list": "The announce URL is not in the announce list; it is added as the last tier.",
        "odd_announce": "The announce URL or the announce list is not written as it should be.",
        "bad_tracker": "A tracker is no URL that clients know; it is left out.",
        "passkey": "A tracker URL seems to hold a personal key.",
        "odd_webseed": "A web seed is not written as it should be, or is no http or ftp URL.",
        "odd_nodes": "A DHT node is not written as it should be.",
        "odd_private": "The private mark is not an integer in `info`; it is taken as meant.",
        "client_data": "A client left its own private data in the file.",
        "too_many_urls": "There are more trackers, web seeds or nodes than are kept.",
        "text_cut": "A comment or another text is longer than what is kept.",
        # names
        "encoding_declared": "The names are in the charset that the torrent declares.",
        "encoding_codepage": "The names are in the code page that the torrent declares.",
        "encoding_detected": "The charset of the names was detected and may be wrong.",
        "encoding_unsure": "The charset of the names is a guess with a close rival.",
        "encoding_fallback": "The charset of the names is unknown; they are read as cp1252.",
        "encoding_mixed": "The names are in more than one charset.",
        "encoding_lies": "The declared charset cannot be right.",
        "encoding_unknown": "The declared charset is not known.",
        "names_from_twin": "A name is taken from its `.utf-8` twin.",
        "bad_utf8_twin": "A `.utf-8` twin is not UTF-8.",
        # paths
        "unsafe_path": "A path was absolute or led out of its folder; it is made safe.",
        "control_characters": "A name has control characters; they are left out.",
        "invisible_characters": "A name has invisible or direction-changing characters; they are left out.",
        "reserved_name": "A name is reserved on Windows; it is changed.",
        "empty_name": "A name is empty; it is replaced.",
        "name_shortened": "A name is too long and was shortened.",
        "path_too_deep": "A path has too many folders and was shortened.",
        "duplicate_path": "Two files have the same path; the later ones are numbered.",
        # dates
        "date_milliseconds": "The creation date is in milliseconds.",
        "date_microseconds": "The creation date is in microseconds.",
        "date_text": "The creation date is written in words.",
        "bad_date": "The creation date makes no sense.",
    }
)


def describe_flag(flag: str) -> str:
    """Return the sentence for a flag; an unknown flag is its own description."""
    return FLAGS.get(flag, flag)
