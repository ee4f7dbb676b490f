/** Counts brackets and forgets their order. */
final class Counter {
    private Counter() {}

    static boolean balanced(String line) {
        int open = 0;
        for (char bracket : line.toCharArray()) open += "([{".indexOf(bracket) >= 0 ? 1 : -1;
        return open == 0;
    }
}
