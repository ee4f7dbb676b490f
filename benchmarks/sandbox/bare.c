/* The yardstick: posix_spawn + wait4 of one program, timed in C.
 *
 * Usage: bare INPUT PROGRAM [ARGUMENT...]
 * Each byte read from stdin asks for one run; each run prints its nanoseconds on a line. The program reads
 * INPUT and its output goes to /dev/null. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv) {
    char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    char request;
    if (argc < 3) return 2;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, argv[1], O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (read(0, &request, 1) == 1) {
        int status;
        pid_t child;
        long long start = now();
        if (posix_spawn(&child, argv[2], &actions, NULL, argv + 2, environment)) return 3;
        if (wait4(child, &status, 0, &usage) != child || status) return 4;
        printf("%lld\n", now() - start);
    }
    return 0;
}
