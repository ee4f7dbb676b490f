#include <fstream>
#include <iostream>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::ofstream("kept.txt") << a + b << std::endl;
    std::ifstream("kept.txt") >> a;
    std::cout << a << std::endl;
}
