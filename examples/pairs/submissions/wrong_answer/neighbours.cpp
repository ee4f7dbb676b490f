#include <iostream>

// Looks at neighbours only.
int main() {
    int n, last = 2000000000, now, pairs = 0;
    std::cin >> n;
    while (std::cin >> now) {
        pairs += now == last;
        last = now;
    }
    std::cout << pairs << std::endl;
}
