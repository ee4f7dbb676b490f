import"./chunk-RJMMSNLY.js";
