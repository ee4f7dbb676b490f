import{a,b}from"./chunk-RQ7EOR4D.js";import"./chunk-MQ5HHIVM.js";import"./chunk-RZNZL33T.js";export{b as LevelName,a as default};
