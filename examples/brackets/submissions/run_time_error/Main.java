import java.util.ArrayDeque;
import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        ArrayDeque<Character> open = new ArrayDeque<>();
        for (char bracket : new Scanner(System.in).nextLine().toCharArray()) {
            if ("([{".indexOf(bracket) >= 0) {
                open.push(bracket);
            } else if ("([{".indexOf(open.pop()) != ")]}".indexOf(bracket)) {
                System.out.println("no");
                return;
            }
        }
        System.out.println(open.isEmpty() ? "yes" : "no");
    }
}
