"""Circuitry programs."""
