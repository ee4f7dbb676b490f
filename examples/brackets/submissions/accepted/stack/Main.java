import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        String line = new Scanner(System.in).nextLine();
        Stack open = new Stack(line.length());
        for (char bracket : line.toCharArray()) {
            if (Brackets.opens(bracket)) {
                open.push(bracket);
            } else if (open.isEmpty() || !Brackets.match(open.pop(), bracket)) {
                System.out.println("no");
                return;
            }
        }
        System.out.println(open.isEmpty() ? "yes" : "no");
    }
}
