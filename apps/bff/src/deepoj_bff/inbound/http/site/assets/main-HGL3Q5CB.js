import"./chunk-IOVVLUXS.js";
