import"./chunk-3TEOMIBT.js";
