import{a,b}from"./chunk-BOZXZ2QR.js";import"./chunk-NEVCSRLF.js";import"./chunk-Y4XC2MHD.js";export{b as LevelName,a as default};
