"""The setter's program: one package on this machine, then it ends."""
