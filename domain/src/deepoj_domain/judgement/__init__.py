"""Judging: case results, verdict aggregation, subtask scoring and the judge cache."""
