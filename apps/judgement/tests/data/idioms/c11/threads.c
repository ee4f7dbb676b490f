#include <pthread.h>
#include <stdio.h>

static void *twice(void *number) { *(int *)number *= 2; return NULL; }

int main(void) {
    int numbers[2];
    pthread_t threads[2];
    scanf("%d%d", &numbers[0], &numbers[1]);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, twice, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", (numbers[0] + numbers[1]) / 2);
}
