import"./chunk-YVOMWJGU.js";
