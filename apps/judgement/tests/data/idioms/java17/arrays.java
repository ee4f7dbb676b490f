import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int[] sums = new int[16 << 20];
        for (int i = 0; i < sums.length; i++) sums[i] = i;
        System.out.println(in.nextInt() + in.nextInt() + sums[sums.length - 1] - sums.length + 1);
    }
}
