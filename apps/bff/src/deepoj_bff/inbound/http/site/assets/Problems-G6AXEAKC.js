import{a,b}from"./chunk-OWGIAGDP.js";import"./chunk-HPPPQLW6.js";import"./chunk-SAZPMHB3.js";export{b as LevelName,a as default};
