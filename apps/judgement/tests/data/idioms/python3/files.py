with open("kept.txt", "w") as kept:
    kept.write(input())
print(sum(map(int, open("kept.txt").read().split())))
