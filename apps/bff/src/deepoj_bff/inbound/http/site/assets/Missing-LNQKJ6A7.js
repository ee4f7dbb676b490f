import{a}from"./chunk-L7523P6N.js";import"./chunk-QDDZQA62.js";export{a as default};
