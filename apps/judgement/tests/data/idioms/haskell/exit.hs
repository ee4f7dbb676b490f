import System.Exit

main :: IO ()
main = do
  numbers <- fmap (map read . words) getLine :: IO [Int]
  print (sum numbers)
  _ <- exitSuccess
  putStrLn "never"
