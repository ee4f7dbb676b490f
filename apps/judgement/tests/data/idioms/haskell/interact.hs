main = interact $ show . sum . map read . words
