import{a,b}from"./chunk-57PLSN2H.js";import"./chunk-7SQ4DLLU.js";import"./chunk-TWXZXTPE.js";import"./chunk-Y3KY7KXU.js";import"./chunk-5ZV5KBWY.js";export{b as Solving,a as default};
