import{a}from"./chunk-CIJEWNRK.js";import"./chunk-NEVCSRLF.js";import"./chunk-Y4XC2MHD.js";export{a as default};
