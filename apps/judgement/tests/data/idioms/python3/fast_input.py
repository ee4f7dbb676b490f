import sys

input = sys.stdin.readline
a, b = map(int, input().split())
print(a + b + sum(map(int, sys.stdin.read().split())))
