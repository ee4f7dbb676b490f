"""Boards: what a game's log of judged submissions amounts to.

The log is append-only (`fact.py`). The facts of one participant on one problem make a cell, the cells of a
participant make a row, the rows make a board; each step is a pure function. A judged event runs them for one
cell and its row, a recompute for all of them: the results cannot differ.
"""
