program arrays;
var
  sums: array[1..16 * 1024 * 1024] of longint;
  a, b, i: longint;
begin
  readln(a, b);
  for i := 1 to 16 * 1024 * 1024 do sums[i] := i;
  writeln(a + b + sums[1000000] - 1000000);
end.
