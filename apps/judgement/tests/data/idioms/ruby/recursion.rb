def depth(left)
  left.zero? ? 0 : 1 + depth(left - 1)
end

puts gets.split.map(&:to_i).sum + depth(100_000) - 100_000
