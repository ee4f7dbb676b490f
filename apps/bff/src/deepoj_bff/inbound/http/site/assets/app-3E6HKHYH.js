import"./chunk-WNTRCDZ5.js";
