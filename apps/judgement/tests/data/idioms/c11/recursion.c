#include <stdio.h>

static volatile int deepest;

static int depth(int left) { deepest = left; return left ? 1 + depth(left - 1) * (deepest == 0) : 0; }

int main(void) {
    int a, b;
    scanf("%d%d", &a, &b);
    printf("%d\n", a + b + (depth(700000) != 700000));
}
