/* Tries every way to change the file behind standard input, then prints what that holds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
static void spoil(int f) {
    char *seen = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    if (seen != MAP_FAILED) memset(seen, '#', 4);
    ftruncate(f, 1);
    pwrite(f, "POISONED", 8, 0);
    fallocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
    fsetxattr(f, "user.mark", "1", 1, 0);
    close(f);
}
int main(void) {
    const char *names[] = {"/proc/self/fd/0", "/dev/stdin", "/dev/fd/0"};
    int modes[] = {O_RDWR, O_WRONLY, O_WRONLY | O_TRUNC, O_WRONLY | O_APPEND};
    char text[4096];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) {
            truncate(names[i], 0);
            for (int j = 0; j < 4; j++) {
                int f = open(names[i], modes[j]);
                if (f >= 0) spoil(f);
            }
        }
        spoil(dup(0));
        fchmod(0, 0777);
        chmod("/proc/self/fd/0", 0777);
    }
    ssize_t got = pread(0, text, sizeof text, 0);
    write(1, text, got > 0 ? got : 0);
    return 0;
}
