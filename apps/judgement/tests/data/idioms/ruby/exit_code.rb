puts 42
abort 'enough'
