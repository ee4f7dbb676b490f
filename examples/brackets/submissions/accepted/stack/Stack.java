final class Stack {
    private final char[] content;
    private int size;

    Stack(int most) {
        content = new char[most];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void push(char each) {
        content[size++] = each;
    }

    char pop() {
        return content[--size];
    }
}
