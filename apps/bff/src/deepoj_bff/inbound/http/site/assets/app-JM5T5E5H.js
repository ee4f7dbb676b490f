import"./chunk-2C34QWFE.js";
