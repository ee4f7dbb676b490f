import"./chunk-UZDZ67HY.js";
