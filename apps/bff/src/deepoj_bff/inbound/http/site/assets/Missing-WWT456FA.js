import{a}from"./chunk-CVKMPHGD.js";import"./chunk-7HFXWIM6.js";import"./chunk-VWA7HMEB.js";export{a as default};
