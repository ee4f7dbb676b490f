#include <fstream>
#include <iostream>
#include <string>

static const int accepted = 42, rejected = 43;
static std::ofstream message;

static int reject(const std::string& why) {
    message << why << std::endl;
    return rejected;
}

static bool is_plain(const std::string& word) {
    return word.size() <= 10 && word.find_first_not_of("123456789") == std::string::npos;
}

// check input answer feedback_directory < output
int main(int argc, char** argv) {
    if (argc < 4) return 1;
    message.open(std::string(argv[3]) + "judgemessage.txt");
    long long n;
    std::ifstream(argv[1]) >> n;
    std::string first, second, more;
    if (!(std::cin >> first >> second)) return reject("expected two numbers");
    if (std::cin >> more) return reject("more than two numbers");
    if (!is_plain(first) || !is_plain(second)) return reject("not a positive number without a zero digit");
    if (std::stoll(first) + std::stoll(second) != n) return reject("the sum is not n");
    return accepted;
}
