import{a,b}from"./chunk-ENT2ILBR.js";import"./chunk-RUQCTTXF.js";import"./chunk-ZBNEDXYD.js";import"./chunk-CTB7C5N3.js";import"./chunk-QNYEAC5M.js";export{b as Solving,a as default};
