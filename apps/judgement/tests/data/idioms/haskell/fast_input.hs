import qualified Data.ByteString.Char8 as B
import Data.Maybe (mapMaybe)

main :: IO ()
main = do
  text <- B.getContents
  print (sum (map fst (mapMaybe B.readInt (B.words text))))
