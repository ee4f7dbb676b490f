import"./chunk-UAQIYRVD.js";
