package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<20)
	in.Split(bufio.ScanWords)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	sum := 0
	for in.Scan() {
		number, _ := strconv.Atoi(in.Text())
		sum += number
	}
	fmt.Fprintln(out, sum)
}
