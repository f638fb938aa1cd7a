"""Explorers of lecture 1: composition basics."""
