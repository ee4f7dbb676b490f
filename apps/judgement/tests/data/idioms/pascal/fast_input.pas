program fast;
var
  buffer: array[0..65535] of char;
  number, sum: int64;
begin
  settextbuf(input, buffer);
  sum := 0;
  while not seekeof do
  begin
    read(number);
    sum := sum + number;
  end;
  writeln(sum);
end.
