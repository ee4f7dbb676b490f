import"./chunk-VWA7HMEB.js";
