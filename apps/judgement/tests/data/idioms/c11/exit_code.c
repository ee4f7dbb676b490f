#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("42\n");
    exit(3);
}
