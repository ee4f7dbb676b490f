import{a,b}from"./chunk-4TMTS4RA.js";import"./chunk-ITQLXPKJ.js";import"./chunk-ICDYG5VH.js";export{b as LevelName,a as default};
