use std::fs::{self, OpenOptions};
use std::io::Write;

fn main() {
    let text = fs::read_to_string("/dev/stdin").unwrap();
    let sum: i32 = text.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
    let mut out = OpenOptions::new().write(true).open("/dev/stdout").unwrap();
    writeln!(out, "{}", sum).unwrap();
}
