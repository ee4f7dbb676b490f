#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d%d", &a, &b);
    FILE *kept = fopen("kept.txt", "w");
    fprintf(kept, "%d", a + b);
    fclose(kept);
    freopen("kept.txt", "r", stdin);
    scanf("%d", &a);
    printf("%d\n", a);
}
