import{a,b}from"./chunk-PGHG2AJE.js";import"./chunk-T7H62ABE.js";import"./chunk-WNTRCDZ5.js";export{b as LevelName,a as default};
