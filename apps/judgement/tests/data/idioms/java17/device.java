import java.io.*;
import java.nio.file.*;

public class Main {
    public static void main(String[] args) throws IOException {
        String[] words = new String(Files.readAllBytes(Paths.get("/dev/stdin"))).trim().split(" ");
        try (PrintWriter out = new PrintWriter(new FileWriter("/dev/stdout"))) {
            out.println(Integer.parseInt(words[0]) + Integer.parseInt(words[1]));
        }
    }
}
