using System;
using System.IO;
using System.Linq;

class Device {
    static void Main() {
        var sum = File.ReadAllText("/dev/stdin").Trim().Split(' ').Select(int.Parse).Sum();
        using (var output = new StreamWriter("/dev/stdout")) output.WriteLine(sum);
    }
}
