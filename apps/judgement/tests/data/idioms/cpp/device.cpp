#include <cstdio>
#include <fstream>
#include <iostream>

int main() {
    freopen("/dev/stdout", "w", stdout);
    std::ifstream in("/dev/stdin");
    int a, b;
    in >> a >> b;
    std::cout << a + b << std::endl;
}
