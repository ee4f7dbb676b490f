let () =
  let numbers = List.map int_of_string (Str.split (Str.regexp " +") (String.trim (read_line ()))) in
  print_endline (string_of_int (List.fold_left ( + ) 0 numbers))
