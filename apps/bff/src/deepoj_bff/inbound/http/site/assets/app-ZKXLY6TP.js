import"./chunk-VZQ7T7NL.js";
