line = input()
while True:
    shorter = line.replace("()", "").replace("[]", "").replace("{}", "")
    if shorter == line:
        break
    line = shorter
print("no" if line else "yes")
