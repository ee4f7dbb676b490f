#include <iostream>
#include <string>

static bool plain(long long x) { return std::to_string(x).find('0') == std::string::npos; }

int main() {
    long long n;
    std::cin >> n;
    for (long long a = 1; a < n; a++) {
        if (plain(a) && plain(n - a)) {
            std::cout << a << " " << n - a << std::endl;
            return 0;
        }
    }
}
