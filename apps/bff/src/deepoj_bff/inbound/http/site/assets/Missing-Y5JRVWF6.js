import{a}from"./chunk-T3HMTR5C.js";import"./chunk-3G4YWKQ3.js";import"./chunk-2MW2YBHR.js";export{a as default};
