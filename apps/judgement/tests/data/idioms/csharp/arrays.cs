using System;
using System.Linq;

class Arrays {
    static void Main() {
        var sums = new int[16 << 20];
        for (int i = 0; i < sums.Length; i++) sums[i] = 1;
        Console.WriteLine(Console.ReadLine().Split(' ').Select(int.Parse).Sum() + sums[1 << 20] - 1);
    }
}
