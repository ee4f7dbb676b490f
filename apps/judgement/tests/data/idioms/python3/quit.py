print(sum(map(int, input().split())))
quit(0)
print("never")
