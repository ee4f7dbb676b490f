import"./chunk-LDQPK5CR.js";
