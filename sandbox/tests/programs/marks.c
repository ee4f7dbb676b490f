/* leave: put every mark a descriptor can carry on the three streams. look: say which marks are there. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
static void leave(int f, int place) {
    struct flock lock = {.l_type = f == 0 ? F_RDLCK : F_WRLCK, .l_start = 100 + place, .l_len = 7};
    lseek(f, 3, SEEK_SET);
    fcntl(f, F_OFD_SETLK, &lock);
    flock(f, LOCK_SH);
    fcntl(f, F_SETSIG, SIGUSR1);
    fcntl(f, F_SETOWN, getpid());
    fcntl(f, F_SETLEASE, F_RDLCK);
    fcntl(f, F_SETPIPE_SZ, 4096);
    fcntl(f, F_SETFL, fcntl(f, F_GETFL) | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME | O_APPEND);
    fchmod(f, 0751);
    fsetxattr(f, "user.mark", "1", 1, 0);
    futimens(f, 0);
}
static void look(int f) {
    struct flock lock = {.l_type = F_WRLCK};
    struct stat state;
    char path[64], mark[8];
    sprintf(path, "/proc/self/fd/%d", f);
    int again = open(path, f ? O_WRONLY : O_RDONLY);
    fstat(f, &state);
    fcntl(again, F_OFD_GETLK, &lock);
    fprintf(stderr, "%d: lock %d signal %d owner %d flags %o lease %d mode %o size %d place %d mark %d\n", f,
        lock.l_type != F_UNLCK, fcntl(f, F_GETSIG), fcntl(f, F_GETOWN), fcntl(f, F_GETFL), fcntl(f, F_GETLEASE),
        state.st_mode, fcntl(f, F_GETPIPE_SZ), (int)lseek(f, 0, SEEK_CUR),
        (int)fgetxattr(f, "user.mark", mark, sizeof mark));
}
int main(int argc, char **argv) {
    setvbuf(stderr, 0, _IOFBF, 4096);
    if (!strcmp(argv[1], "leave")) {
        for (int i = 0; i < 20; i++) if (!fork()) _exit(0); else wait(0);
        for (int f = 0; f < 3; f++) {
            char path[64];
            sprintf(path, "/proc/self/fd/%d", f);
            leave(f, f);
            leave(open(path, f ? O_WRONLY : O_RDONLY), f + 10);
        }
        return 0;
    }
    for (int f = 0; f < 3; f++) look(f);
    return 0;
}
