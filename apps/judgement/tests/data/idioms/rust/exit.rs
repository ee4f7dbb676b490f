use std::{io, process};

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    println!("{}", line.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum::<i32>());
    if line.len() > 1 {
        process::exit(0);
    }
    println!("never");
}
