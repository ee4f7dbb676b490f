#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, numbers[10], pairs = 0;
    if (scanf("%d", &n) != 1) return 1;
    if (n > 10) abort();
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &numbers[i]) != 1) return 1;
        for (int j = 0; j < i; j++) pairs += numbers[j] == numbers[i];
    }
    printf("%d\n", pairs);
    return 0;
}
