"""Explorers of lecture 4: bounded leakage."""
