sums = [0] * (8 << 20)
for i in range(0, len(sums), 1000):
    sums[i] = i
rows = [[0] * 1000 for _ in range(1000)]
print(sum(map(int, input().split())) + sums[1000] - 1000)
