final class Brackets {
    private Brackets() {}

    static boolean opens(char bracket) {
        return "([{".indexOf(bracket) >= 0;
    }

    static boolean match(char open, char close) {
        return "([{".indexOf(open) == ")]}".indexOf(close);
    }
}
