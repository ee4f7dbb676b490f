program fails;
begin
  writeln(42);
  halt(203);
end.
