import System.Exit

main :: IO ()
main = putStrLn "42" >> exitWith (ExitFailure 251)
