import{a}from"./chunk-RJRCJXOX.js";import"./chunk-HV7ALCKD.js";export{a as default};
