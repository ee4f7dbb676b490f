#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> numbers(n);
    for (int& each : numbers) cin >> each;
    sort(numbers.begin(), numbers.end());
    long long pairs = 0, run = 0;
    for (int i = 1; i < n; i++) {
        run = numbers[i] == numbers[i - 1] ? run + 1 : 0;
        pairs += run;
    }
    cout << pairs << endl;
}
