# Ten guesses are not enough for this.
for guess in range(1, 11):
    print(guess, flush=True)
    if input() == "correct":
        break
