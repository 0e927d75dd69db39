"""Servers on loopback for the tests, made of raw sockets so that they can misbehave in any way."""
