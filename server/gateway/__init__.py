"""Sockets: strict decoding, limits, and one outbox a socket. Knows no rules and no Redis."""
