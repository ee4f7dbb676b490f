import{a,b}from"./chunk-7SQ4DLLU.js";import"./chunk-Y3KY7KXU.js";import"./chunk-5ZV5KBWY.js";export{b as LevelName,a as default};
