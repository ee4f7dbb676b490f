"""Judge a program: what worker and setter have in common."""
