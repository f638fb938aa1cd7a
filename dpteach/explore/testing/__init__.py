"""Explorers of lecture 2: hypothesis testing."""
