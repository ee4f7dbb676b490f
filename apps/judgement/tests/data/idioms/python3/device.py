a, b = map(int, open("/dev/stdin").read().split())
with open("/dev/stdout", "w") as out:
    print(a + b, file=out)
