"""Running the sandbox's tests on other kernels than this machine's."""
