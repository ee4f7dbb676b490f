import"./chunk-ICDYG5VH.js";
