let () =
  let sum = ref 0 in
  (try while true do Scanf.scanf " %d" (fun number -> sum := !sum + number) done
   with End_of_file | Scanf.Scan_failure _ -> ());
  Printf.printf "%d\n" !sum
