import"./chunk-Y4XC2MHD.js";
