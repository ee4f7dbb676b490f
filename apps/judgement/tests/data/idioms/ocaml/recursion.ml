let rec depth left = if left = 0 then 0 else 1 + depth (left - 1)

let () = Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\n" (a + b + depth 500000 - 500000))
