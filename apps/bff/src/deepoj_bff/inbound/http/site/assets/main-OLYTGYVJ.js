import"./chunk-F546YTF2.js";
