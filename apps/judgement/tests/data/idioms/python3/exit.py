a, b = map(int, input().split())
if a < b:
    print(a + b)
    exit()
print("never")
