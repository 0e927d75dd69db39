"""What a file is: recognition, bencode, metainfo, magnets."""
