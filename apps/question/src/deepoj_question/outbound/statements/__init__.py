"""Statements made ready to be shown: sanitised HTML, formulas as MathML."""
