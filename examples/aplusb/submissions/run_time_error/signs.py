# Negative numbers were forgotten.
a, b = input().split()
if not (a.isdigit() and b.isdigit()):
    raise ValueError("not a number")
print(int(a) + int(b))
