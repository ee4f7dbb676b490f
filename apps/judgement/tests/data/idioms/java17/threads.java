import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Main {
    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        int a = in.nextInt(), b = in.nextInt();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Future<Integer> sum = pool.submit(() -> a + b);
        int more = IntStream.range(0, 1000).parallel().map(i -> i % 2).sum();
        System.out.println(sum.get() + more - 500);
        pool.shutdown();
    }
}
