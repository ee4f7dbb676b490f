#include <stdio.h>

/* Counts up to the sum, one by one. */
int main(void) {
    long long a, b;
    if (scanf("%lld %lld", &a, &b) != 2) return 1;
    volatile long long sum = 0;
    long long wanted = a + b, step = wanted < 0 ? -1 : 1;
    if (wanted < 1000000000000000000LL && wanted > -1000000000000000000LL) sum = wanted;
    while (sum != wanted) sum += step;
    printf("%lld\n", sum);
    return 0;
}
