#include <stdio.h>

static int sums[16 << 20];

int main(void) {
    int a, b;
    scanf("%d%d", &a, &b);
    for (int i = 0; i < 16 << 20; i++) sums[i] = i;
    printf("%d\n", a + b + sums[(16 << 20) - 1] - (16 << 20) + 1);
}
