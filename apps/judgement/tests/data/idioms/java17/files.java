import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        Scanner in = new Scanner(System.in);
        try (PrintWriter kept = new PrintWriter("kept.txt")) {
            kept.println(in.nextInt() + in.nextInt());
        }
        System.out.println(new Scanner(new File("kept.txt")).nextInt());
    }
}
