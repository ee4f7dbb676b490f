#include <stdio.h>

int main(void) {
    int a, b;
    freopen("/dev/stdin", "r", stdin);
    freopen("/dev/stdout", "w", stdout);
    scanf("%d%d", &a, &b);
    fprintf(fopen("/dev/stderr", "w"), "%d and %d\n", a, b);
    printf("%d\n", a + b);
}
