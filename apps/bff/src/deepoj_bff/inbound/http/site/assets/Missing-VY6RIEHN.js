import{a}from"./chunk-V34JECFR.js";import"./chunk-7G4GSNEV.js";export{a as default};
