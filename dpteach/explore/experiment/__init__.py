"""Explorers of lecture 3: the generalized composition experiment."""
