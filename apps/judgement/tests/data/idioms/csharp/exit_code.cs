using System;

class Fails {
    static int Main() {
        Console.WriteLine(42);
        return 1;
    }
}
