package main

import "fmt"

func depth(left int) int {
	if left == 0 {
		return 0
	}
	return 1 + depth(left-1)
}

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a + b + depth(500000) - 500000)
}
