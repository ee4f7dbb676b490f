import sys


def main():
    print(sum(map(int, input().split())))
    sys.exit()


if __name__ == "__main__":
    main()
    print("never")
