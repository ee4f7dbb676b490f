import{a,b}from"./chunk-IJKEOU32.js";import"./chunk-3ZGBT7IQ.js";import"./chunk-2C34QWFE.js";export{b as LevelName,a as default};
