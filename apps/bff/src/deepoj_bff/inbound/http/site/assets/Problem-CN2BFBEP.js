import{a,b}from"./chunk-LJC5MPAM.js";import"./chunk-RQ7EOR4D.js";import"./chunk-WVI5IFWW.js";import"./chunk-MQ5HHIVM.js";import"./chunk-RZNZL33T.js";export{b as Solving,a as default};
