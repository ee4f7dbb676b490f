local a, b = io.open("/dev/stdin"):read("n", "n")
io.output("/dev/stdout")
io.write(a + b, "\n")
