import sys

sys.setrecursionlimit(10**6)


def depth(left):
    return 1 + depth(left - 1) if left else 0


print(sum(map(int, input().split())) + depth(50000) - 50000)
