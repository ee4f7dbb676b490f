import"./chunk-6RTE7TOL.js";
