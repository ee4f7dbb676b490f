import{a,b}from"./chunk-KRTKPABK.js";import"./chunk-AO6BIT3Q.js";import"./chunk-IOVVLUXS.js";export{b as LevelName,a as default};
