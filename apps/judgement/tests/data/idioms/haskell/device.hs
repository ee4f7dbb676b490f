main :: IO ()
main = do
  text <- readFile "/dev/stdin"
  appendFile "/dev/stdout" (show (sum (map read (words text)) :: Int) ++ "\n")
