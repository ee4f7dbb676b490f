using System;
using System.Linq;

class Recursion {
    static int Depth(int left) { return left == 0 ? 0 : 1 + Depth(left - 1); }

    static void Main() {
        var sum = Console.ReadLine().Split(' ').Select(int.Parse).Sum();
        Console.WriteLine(sum + Depth(200000) - 200000);
    }
}
