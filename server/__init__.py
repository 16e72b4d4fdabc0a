"""Upcard: a server for Konken and its rummy cousins, with its web client."""
