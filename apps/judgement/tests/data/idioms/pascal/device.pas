program device;
var
  a, b: longint;
begin
  assign(input, '/dev/stdin');
  reset(input);
  assign(output, '/dev/stdout');
  rewrite(output);
  readln(a, b);
  writeln(a + b);
end.
