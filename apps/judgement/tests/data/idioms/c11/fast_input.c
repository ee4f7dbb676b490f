#include <stdio.h>

static char buffer[1 << 16];
static size_t at, have;

static int next(void) {
    if (at == have) { have = fread(buffer, 1, sizeof buffer, stdin); at = 0; }
    return have ? buffer[at++] : EOF;
}

int main(void) {
    long sum = 0, number = 0;
    for (int c; (c = next()) != EOF;) {
        if (c >= '0' && c <= '9') number = number * 10 + c - '0';
        else { sum += number; number = 0; }
    }
    printf("%ld\n", sum + number);
}
