import"./chunk-OCUVZVS3.js";
