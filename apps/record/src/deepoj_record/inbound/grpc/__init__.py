"""The servicers: decode, call, encode."""
