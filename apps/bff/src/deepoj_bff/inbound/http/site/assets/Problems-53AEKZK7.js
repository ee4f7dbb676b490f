import{a,b}from"./chunk-BWTZ7KCE.js";import"./chunk-HIQ375XT.js";import"./chunk-SN7WUKRR.js";export{b as LevelName,a as default};
