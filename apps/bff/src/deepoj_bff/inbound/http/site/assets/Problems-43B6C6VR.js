import{a,b}from"./chunk-6IPJ6VBY.js";import"./chunk-S35M4FFX.js";import"./chunk-3TEOMIBT.js";export{b as LevelName,a as default};
