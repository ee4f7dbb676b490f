using System;
using System.IO;

class Fast {
    static void Main() {
        var input = new StreamReader(Console.OpenStandardInput());
        var output = new StreamWriter(Console.OpenStandardOutput());
        long sum = 0;
        for (string line; (line = input.ReadLine()) != null;)
            foreach (var word in line.Split(' ')) sum += int.Parse(word);
        output.WriteLine(sum);
        output.Flush();
    }
}
