import"./chunk-QDDZQA62.js";
