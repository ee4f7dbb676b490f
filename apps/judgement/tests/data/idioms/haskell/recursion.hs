depth :: Int -> Int
depth 0 = 0
depth left = 1 + depth (left - 1)

main :: IO ()
main = do
  numbers <- fmap (map read . words) getLine
  print (sum numbers + depth 1000000 - 1000000 + foldr (+) 0 [0 | _ <- [1 .. 1000000 :: Int]])
