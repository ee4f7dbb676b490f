package main

import (
	"fmt"
	"sync"
)

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	sums := make(chan int, 1000)
	var all sync.WaitGroup
	for i := 0; i < 1000; i++ {
		all.Add(1)
		go func() { defer all.Done(); sums <- a + b }()
	}
	all.Wait()
	fmt.Println(<-sums)
}
