import{a,b}from"./chunk-XAVUULRP.js";import"./chunk-YB4WYQ5Z.js";import"./chunk-OCUVZVS3.js";export{b as LevelName,a as default};
