program files;
var
  kept: text;
  a, b: longint;
begin
  readln(a, b);
  assign(kept, 'kept.txt');
  rewrite(kept);
  writeln(kept, a + b);
  close(kept);
  reset(kept);
  readln(kept, a);
  writeln(a);
end.
