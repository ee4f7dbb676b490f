import"./chunk-QNYEAC5M.js";
