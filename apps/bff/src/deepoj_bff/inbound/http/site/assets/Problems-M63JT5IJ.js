import{a,b}from"./chunk-7CZ7Z3PE.js";import"./chunk-XFXCPLRZ.js";import"./chunk-FNFLVTKZ.js";export{b as LevelName,a as default};
