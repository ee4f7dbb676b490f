"""Owns contests and their scores."""
