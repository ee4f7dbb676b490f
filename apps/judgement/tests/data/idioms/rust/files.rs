use std::{fs, io};

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    fs::write("kept.txt", line).unwrap();
    let kept = fs::read_to_string("kept.txt").unwrap();
    println!("{}", kept.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum::<i32>());
}
