# Right, and too slow for the last subtask.
input()
numbers = input().split()
print(sum(a == b for i, a in enumerate(numbers) for b in numbers[:i]))
