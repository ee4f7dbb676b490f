"""Submissions: the only state machine. `states.py` has its table, the other files one kind of move each."""
