import"./chunk-HV7ALCKD.js";
