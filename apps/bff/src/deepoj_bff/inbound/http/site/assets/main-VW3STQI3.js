import"./chunk-RZNZL33T.js";
