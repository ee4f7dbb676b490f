import{a}from"./chunk-GRBW66LA.js";import"./chunk-AO6BIT3Q.js";import"./chunk-IOVVLUXS.js";export{a as default};
