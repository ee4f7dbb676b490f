#include <functional>
#include <iostream>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::function<int(int)> depth = [&](int left) -> int { return left ? 1 + depth(left - 1) : 0; };
    std::cout << a + b + depth(200000) - 200000 << std::endl;
}
