use std::io;

fn depth(left: i32) -> i32 {
    let left = unsafe { std::ptr::read_volatile(&left) };
    if left == 0 { 0 } else { 1 + depth(left - 1) }
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let sum: i32 = line.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
    println!("{}", sum + depth(500000) - 500000);
}
