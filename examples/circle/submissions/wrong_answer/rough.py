# Pi with two decimals is not close enough.
print(3.14 * float(input()) ** 2)
