import{a,b}from"./chunk-2SOIWIQ6.js";import"./chunk-3G4YWKQ3.js";import"./chunk-2MW2YBHR.js";export{b as LevelName,a as default};
