import{a}from"./chunk-RBQT7CUU.js";import"./chunk-MQ5HHIVM.js";import"./chunk-RZNZL33T.js";export{a as default};
