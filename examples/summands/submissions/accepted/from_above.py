n = int(input())
b = next(b for b in range(1, n) if "0" not in str(b) and "0" not in str(n - b))
print(n - b)
print(b)
