local sums = {}
for i = 1, 4000000 do sums[i] = 1 end
local a, b = io.read("n", "n")
print(a + b + sums[1000000] - 1)
