import{a}from"./chunk-K6AWTGGQ.js";import"./chunk-T7H62ABE.js";import"./chunk-WNTRCDZ5.js";export{a as default};
