let () =
  let sums = Array.make (8 lsl 20) 1 in
  Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\n" (a + b + sums.(1 lsl 20) - 1))
