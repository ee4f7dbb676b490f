import{a,b}from"./chunk-OM5VINX4.js";import"./chunk-BOZXZ2QR.js";import"./chunk-ZSRY4HLG.js";import"./chunk-NEVCSRLF.js";import"./chunk-Y4XC2MHD.js";export{b as Solving,a as default};
