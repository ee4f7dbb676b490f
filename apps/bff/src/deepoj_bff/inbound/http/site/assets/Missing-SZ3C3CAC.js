import{a}from"./chunk-HTRWOY2M.js";import"./chunk-HPPPQLW6.js";import"./chunk-SAZPMHB3.js";export{a as default};
