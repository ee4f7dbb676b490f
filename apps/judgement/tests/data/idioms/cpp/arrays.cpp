#include <cstdio>
#include <numeric>
#include <vector>

int main() {
    int a, b;
    std::scanf("%d %d", &a, &b);
    std::vector<std::vector<int>> table(4000, std::vector<int>(4000, 1));
    long long sum = 0;
    for (auto &row : table) sum += std::accumulate(row.begin(), row.end(), 0);
    std::printf("%lld\n", a + b + sum - 16000000);
}
