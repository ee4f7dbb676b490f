import"./chunk-3ZH4OJPD.js";
