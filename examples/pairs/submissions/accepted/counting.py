from collections import Counter

input()
print(sum(many * (many - 1) // 2 for many in Counter(input().split()).values()))
