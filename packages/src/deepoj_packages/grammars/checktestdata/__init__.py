"""The language of DOMjudge's checktestdata, by its specification; where it is silent, as the tool does."""
