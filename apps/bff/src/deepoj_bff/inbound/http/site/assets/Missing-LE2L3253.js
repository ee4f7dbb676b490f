import{a}from"./chunk-HX4KNKIR.js";import"./chunk-KBBBCLSP.js";export{a as default};
