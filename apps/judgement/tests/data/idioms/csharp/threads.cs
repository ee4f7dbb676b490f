using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

class Threads {
    static void Main() {
        var numbers = Console.ReadLine().Split(' ').Select(int.Parse).ToArray();
        int sum = 0;
        var thread = new Thread(() => sum = numbers.Sum(), 1 << 26);
        thread.Start();
        thread.Join();
        Console.WriteLine(sum + Task.Run(() => 0).Result);
    }
}
