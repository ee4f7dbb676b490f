import"./chunk-SAZPMHB3.js";
