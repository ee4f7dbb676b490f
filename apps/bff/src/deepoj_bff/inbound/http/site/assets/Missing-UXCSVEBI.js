import{a}from"./chunk-KO2KL73W.js";import"./chunk-HIQ375XT.js";import"./chunk-SN7WUKRR.js";export{a as default};
