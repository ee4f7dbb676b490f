#include <stdio.h>

/* Leibniz needs far too many terms. */
int main(void) {
    double r;
    if (scanf("%lf", &r) != 1) return 1;
    volatile double pi = 0, sign = 4;
    double terms = r < 1000 ? 20000000 : 100000000000.0;
    for (double n = 1; n < terms; n += 2, sign = -sign) pi += sign / n;
    printf("%.9f\n", pi * r * r);
    return 0;
}
