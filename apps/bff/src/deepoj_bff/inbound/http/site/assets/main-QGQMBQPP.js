import"./chunk-KBBBCLSP.js";
