import java.util.*;

public class Main implements Runnable {
    static int depth(int left) { return left == 0 ? 0 : 1 + depth(left - 1); }

    public void run() {
        Scanner in = new Scanner(System.in);
        System.out.println(in.nextInt() + in.nextInt() + depth(1000000) - 1000000);
    }

    public static void main(String[] args) throws Exception {
        if (depth(300000) != 300000) return;
        Thread deep = new Thread(null, new Main(), "deep", 1 << 28);
        deep.start();
        deep.join();
    }
}
