import{a,b}from"./chunk-FYSPAPDN.js";import"./chunk-7HFXWIM6.js";import"./chunk-VWA7HMEB.js";export{b as LevelName,a as default};
