import"./chunk-7BFIFXWE.js";
