import{a}from"./chunk-TRUH3VBJ.js";import"./chunk-ITQLXPKJ.js";import"./chunk-ICDYG5VH.js";export{a as default};
