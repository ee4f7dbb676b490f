import{a}from"./chunk-F5VZBZ3X.js";import"./chunk-XFXCPLRZ.js";import"./chunk-FNFLVTKZ.js";export{a as default};
