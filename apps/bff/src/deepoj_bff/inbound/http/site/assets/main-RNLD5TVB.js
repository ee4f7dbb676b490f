import"./chunk-5ZV5KBWY.js";
