import java.util.Scanner;

public class Main {
    static boolean plain(int x) {
        return String.valueOf(x).indexOf('0') < 0;
    }

    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        int a = 1;
        while (!plain(a) || !plain(n - a)) a++;
        System.out.println(a + " " + (n - a));
    }
}
