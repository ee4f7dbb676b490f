use std::{io, thread};

fn depth(left: i32) -> i32 {
    if left == 0 { 0 } else { 1 + depth(left - 1) }
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let deep = thread::Builder::new().stack_size(1 << 26).spawn(|| depth(100000)).unwrap();
    let sum: i32 = line.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
    println!("{}", sum + deep.join().unwrap() - 100000);
}
