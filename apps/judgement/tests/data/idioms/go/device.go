package main

import (
	"fmt"
	"os"
)

func main() {
	in, err := os.Open("/dev/stdin")
	if err != nil {
		panic(err)
	}
	out, err := os.OpenFile("/dev/stdout", os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	var a, b int
	fmt.Fscan(in, &a, &b)
	fmt.Fprintln(out, a+b)
}
