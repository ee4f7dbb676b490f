#include <cstdlib>
#include <iostream>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::cout << a + b << std::endl;
    std::exit(EXIT_SUCCESS);
    std::cout << "never" << std::endl;
}
