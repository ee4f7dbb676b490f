#include <cstdio>

int main() {
    std::puts("42");
    return -1;
}
