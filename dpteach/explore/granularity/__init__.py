"""Explorers of lecture 5: granularities."""
