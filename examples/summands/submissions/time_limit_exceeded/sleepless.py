n = int(input())
while n > 10**6 + 1:
    pass
b = next(b for b in range(1, n) if "0" not in str(b) and "0" not in str(n - b))
print(n - b, b)
