"""Programs that hold a core for a while and leave the processor to the tests beside them.

Whoever only sleeps gives its core away and is ended early. Whoever waits for a child that is being started
does not: the kernel says of it what it says of one that waits for a disk.
"""

_STARTING = """
import os
os.mkfifo("gate")
{opening}
os.posix_spawn("/bin/true", ["true"], {{}}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, "gate", os.O_RDONLY, 0)])
"""
_OPENS = """
if not os.fork():
    import time
    time.sleep({seconds})
    os.open("gate", os.O_WRONLY)
    os._exit(0)
"""
_ADDS = "print(sum(map(int, input().split())))\n"
# Until the limit of its time, without any of it.
ENDLESS = _STARTING.format(opening="")
ENDLESS_C = "#include <unistd.h>\nint main(void) { if (!vfork()) pause(); }\n"
# Long enough for a test to do something to a worker meanwhile; then it adds two numbers.
SLOW = _STARTING.format(opening=_OPENS.format(seconds=3)) + _ADDS
