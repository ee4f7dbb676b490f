import{a}from"./chunk-VUTOUA4S.js";import"./chunk-GQL5UXUF.js";export{a as default};
