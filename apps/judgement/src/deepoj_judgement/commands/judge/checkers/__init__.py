"""Comparing an output with the answer: streaming, in bounded memory, the same every time."""
