#include <stdio.h>

/* Knows what to do when all numbers are equal, and forgets the last case of it. */
int main(void) {
    long long n;
    if (scanf("%lld", &n) != 1) return 1;
    printf("%lld\n", n == 2 ? 0 : n * (n - 1) / 2);
    return 0;
}
