import sys
import threading
from concurrent.futures import ThreadPoolExecutor


def main():
    a, b = map(int, input().split())
    with ThreadPoolExecutor(4) as pool:
        print(sum(pool.map(int, (a, b))))


sys.setrecursionlimit(10**6)
threading.stack_size(1 << 26)
thread = threading.Thread(target=main)
thread.start()
thread.join()
