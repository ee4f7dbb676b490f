import math

print(math.pi * int(input()) ** 2)
