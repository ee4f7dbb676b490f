import"./chunk-EURQ6BQ3.js";
