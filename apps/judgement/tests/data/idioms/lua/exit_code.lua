print(42)
os.exit(1)
