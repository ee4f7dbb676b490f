import"./chunk-L5IDO2LX.js";
