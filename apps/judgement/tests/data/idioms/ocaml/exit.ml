let () =
  Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\n" (a + b));
  if Array.length Sys.argv > 0 then exit 0;
  print_endline "never"
