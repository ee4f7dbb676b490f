local sum = 0
for line in io.lines() do
  for word in line:gmatch("%d+") do sum = sum + tonumber(word) end
end
print(sum)
