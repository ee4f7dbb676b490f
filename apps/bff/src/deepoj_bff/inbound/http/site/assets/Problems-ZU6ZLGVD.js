import{a,b}from"./chunk-PTRV4EVY.js";import"./chunk-3ZFVDX5J.js";import"./chunk-6O7POSTL.js";export{b as LevelName,a as default};
