let () =
  let source = Scanf.Scanning.from_file "/dev/stdin" in
  let out = open_out "/dev/stdout" in
  Scanf.bscanf source " %d %d" (fun a b -> Printf.fprintf out "%d\n" (a + b));
  close_out out
