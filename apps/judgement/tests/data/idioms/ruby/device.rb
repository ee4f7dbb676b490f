a, b = File.read('/dev/stdin').split.map(&:to_i)
File.open('/dev/stdout', 'w') { |out| out.puts a + b }
