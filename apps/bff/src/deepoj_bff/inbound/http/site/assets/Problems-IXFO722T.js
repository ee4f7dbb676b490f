import{a,b}from"./chunk-6D5FH6FB.js";import"./chunk-QBBKGQME.js";import"./chunk-UZDZ67HY.js";export{b as LevelName,a as default};
