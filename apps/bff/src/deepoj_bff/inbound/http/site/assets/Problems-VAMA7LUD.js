import{a,b}from"./chunk-PH6LQBEE.js";import"./chunk-5R6JMFYG.js";import"./chunk-U3JAI6C6.js";export{b as LevelName,a as default};
