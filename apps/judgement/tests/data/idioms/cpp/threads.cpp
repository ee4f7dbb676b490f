#include <future>
#include <iostream>
#include <thread>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::thread twice([&] { a *= 2; });
    auto doubled = std::async(std::launch::async, [&] { return b * 2; });
    twice.join();
    std::cout << (a + doubled.get()) / 2 << std::endl;
}
