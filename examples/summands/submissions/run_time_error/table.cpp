#include <cassert>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    assert(n < 100);
    int a = n == 11 ? 2 : 1;
    std::cout << a << " " << n - a << std::endl;
}
