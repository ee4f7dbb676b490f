import{a}from"./chunk-E75YJXCH.js";import"./chunk-UHMRBXSF.js";import"./chunk-3ZH4OJPD.js";export{a as default};
