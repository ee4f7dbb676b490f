import"./chunk-U3JAI6C6.js";
