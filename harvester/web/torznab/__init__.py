"""Torznab, which Sonarr, Radarr, Prowlarr and their likes speak (docs/torznab.md).

`protocol` has its values and XML and knows no store, `adapter` translates searches and rows, and `server`
answers.
"""
