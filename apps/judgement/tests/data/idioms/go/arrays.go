package main

import "fmt"

var sums [16 << 20]int32

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	for i := range sums {
		sums[i] = int32(i)
	}
	fmt.Println(a + b + int(sums[len(sums)-1]) - len(sums) + 1)
}
