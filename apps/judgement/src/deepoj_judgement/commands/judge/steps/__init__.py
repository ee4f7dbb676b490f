"""The steps of one judgement, in the order of `commands/judge.py`."""
