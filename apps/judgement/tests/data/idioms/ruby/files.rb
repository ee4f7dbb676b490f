File.write('kept.txt', gets)
puts File.read('kept.txt').split.map(&:to_i).sum
