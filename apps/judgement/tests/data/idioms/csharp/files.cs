using System;
using System.IO;
using System.Linq;

class Files {
    static void Main() {
        File.WriteAllText("kept.txt", Console.ReadLine());
        Console.WriteLine(File.ReadAllText("kept.txt").Split(' ').Select(int.Parse).Sum());
    }
}
