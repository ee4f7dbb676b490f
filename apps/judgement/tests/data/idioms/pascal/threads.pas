{$mode objfpc}
program threads;
uses cthreads, classes;
type
  TSum = class(TThread)
    a, b, sum: longint;
    procedure Execute; override;
  end;
procedure TSum.Execute;
begin
  sum := a + b;
end;
var
  thread: TSum;
begin
  thread := TSum.Create(true);
  readln(thread.a, thread.b);
  thread.Start;
  thread.WaitFor;
  writeln(thread.sum);
end.
