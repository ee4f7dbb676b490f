import{a,b}from"./chunk-RUQCTTXF.js";import"./chunk-CTB7C5N3.js";import"./chunk-QNYEAC5M.js";export{b as LevelName,a as default};
