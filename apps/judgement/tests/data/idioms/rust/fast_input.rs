use std::io::{self, BufWriter, Read, Write};

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let sum: i64 = text.split_ascii_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    writeln!(BufWriter::new(io::stdout().lock()), "{}", sum).unwrap();
}
