import math

print(math.pi * float(input()) ** 2)
