import{a,b}from"./chunk-SQGHDGBG.js";import"./chunk-G34VIPDV.js";import"./chunk-RJMMSNLY.js";export{b as LevelName,a as default};
