#include <cctype>
#include <iostream>
#include <string>

int main() {
    std::string line;
    std::getline(std::cin, line);
    bool digits = !line.empty() && line.size() <= 10 && line[0] != '0';
    for (char c : line) digits = digits && std::isdigit(static_cast<unsigned char>(c));
    if (!digits || std::cin.eof() || std::cin.get() != EOF) return 43;
    long long n = std::stoll(line);
    return 2 <= n && n <= 1000000000 ? 42 : 43;
}
