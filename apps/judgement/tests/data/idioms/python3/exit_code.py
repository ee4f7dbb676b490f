print(42)
exit(3)
