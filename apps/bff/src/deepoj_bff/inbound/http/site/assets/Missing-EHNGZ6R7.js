import{a}from"./chunk-JHFSDHFQ.js";import"./chunk-CTB7C5N3.js";import"./chunk-QNYEAC5M.js";export{a as default};
