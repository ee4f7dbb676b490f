puts $stdin.read.split.map(&:to_i).sum
