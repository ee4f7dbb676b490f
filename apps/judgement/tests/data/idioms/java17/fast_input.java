import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        long sum = 0;
        for (String line; (line = in.readLine()) != null;) {
            StringTokenizer words = new StringTokenizer(line);
            while (words.hasMoreTokens()) sum += Integer.parseInt(words.nextToken());
        }
        out.println(sum);
        out.flush();
    }
}
