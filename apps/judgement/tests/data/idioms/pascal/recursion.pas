program recursion;
var
  a, b: longint;

function depth(left: longint): longint;
begin
  if left = 0 then depth := 0 else depth := 1 + depth(left - 1);
end;

begin
  readln(a, b);
  writeln(a + b + depth(500000) - 500000);
end.
