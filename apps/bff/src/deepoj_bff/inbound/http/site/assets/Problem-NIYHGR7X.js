import{a,b}from"./chunk-SMS53ENU.js";import"./chunk-2SOIWIQ6.js";import"./chunk-AC4PY5PH.js";import"./chunk-3G4YWKQ3.js";import"./chunk-2MW2YBHR.js";export{b as Solving,a as default};
