local function depth(left)
  if left == 0 then return 0 end
  return 1 + depth(left - 1)
end

local a, b = io.read("n", "n")
print(a + b + depth(100000) - 100000)
