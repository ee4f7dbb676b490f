using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;

public class Program {
    public static void Main(string[] args) {
        List<int> numbers = Console.ReadLine().Split().Select(int.Parse).ToList();
        Console.WriteLine($"{numbers.Sum() + BigInteger.Zero}");
    }
}
