"""Codecs of download links, one module a scheme, registered by scheme."""
