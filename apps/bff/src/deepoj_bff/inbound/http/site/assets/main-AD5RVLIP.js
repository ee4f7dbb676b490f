import"./chunk-GQL5UXUF.js";
