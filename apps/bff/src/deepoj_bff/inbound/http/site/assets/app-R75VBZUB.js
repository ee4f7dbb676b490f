import"./chunk-6O7POSTL.js";
