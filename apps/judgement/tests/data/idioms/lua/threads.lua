local adder = coroutine.wrap(function(sum)
  while true do sum = sum + coroutine.yield(sum) end
end)
local a, b = io.read("n", "n")
adder(a)
print(adder(b))
