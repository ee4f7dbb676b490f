"""Counting and limiting what a box uses: version 1, version 2 or nothing, behind one port."""
