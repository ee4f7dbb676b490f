let () =
  let kept = open_out "kept.txt" in
  output_string kept (read_line ());
  close_out kept;
  Scanf.sscanf (input_line (open_in "kept.txt")) "%d %d" (fun a b -> print_int (a + b))
