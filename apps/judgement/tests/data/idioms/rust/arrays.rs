use std::io;

static mut SUMS: [i32; 16 << 20] = [0; 16 << 20];

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let sum: i32 = line.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
    let big = vec![1i32; 4 << 20];
    unsafe { SUMS[1 << 20] = big[1 << 20]; }
    println!("{}", sum + unsafe { SUMS[1 << 20] } - 1);
}
