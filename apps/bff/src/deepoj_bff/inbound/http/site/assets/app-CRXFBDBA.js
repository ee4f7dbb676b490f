import"./chunk-SN7WUKRR.js";
