import"./chunk-2MW2YBHR.js";
