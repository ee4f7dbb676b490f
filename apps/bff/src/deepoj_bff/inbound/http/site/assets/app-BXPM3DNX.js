import"./chunk-5HRHZXLE.js";
