import Control.Concurrent

main :: IO ()
main = do
  numbers <- fmap (map read . words) getLine :: IO [Int]
  answer <- newEmptyMVar
  _ <- forkIO (putMVar answer (sum numbers))
  takeMVar answer >>= print
