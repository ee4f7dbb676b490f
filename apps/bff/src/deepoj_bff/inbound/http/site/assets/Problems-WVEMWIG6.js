import{a,b}from"./chunk-5Z4SLMAL.js";import"./chunk-YJOADJPW.js";import"./chunk-VZQ7T7NL.js";export{b as LevelName,a as default};
