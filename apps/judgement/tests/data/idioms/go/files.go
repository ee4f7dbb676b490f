package main

import (
	"fmt"
	"os"
)

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	if err := os.WriteFile("kept.txt", []byte(fmt.Sprint(a+b)), 0644); err != nil {
		panic(err)
	}
	kept, _ := os.ReadFile("kept.txt")
	fmt.Println(string(kept))
}
