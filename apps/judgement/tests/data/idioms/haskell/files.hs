main :: IO ()
main = do
  getContents >>= writeFile "kept.txt"
  kept <- readFile "kept.txt"
  print (sum (map read (words kept) :: [Int]))
