import"./chunk-FNFLVTKZ.js";
