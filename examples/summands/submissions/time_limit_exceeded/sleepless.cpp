#include <iostream>
#include <string>

static bool plain(long long x) { return std::to_string(x).find('0') == std::string::npos; }

int main() {
    long long n;
    std::cin >> n;
    volatile bool large = n > 100000000;
    while (large) {
    }
    long long a = 1;
    while (!plain(a) || !plain(n - a)) a++;
    std::cout << a << " " << n - a << std::endl;
}
