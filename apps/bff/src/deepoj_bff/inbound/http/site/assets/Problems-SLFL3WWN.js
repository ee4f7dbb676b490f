import{a,b}from"./chunk-T74JL3SQ.js";import"./chunk-UHMRBXSF.js";import"./chunk-3ZH4OJPD.js";export{b as LevelName,a as default};
