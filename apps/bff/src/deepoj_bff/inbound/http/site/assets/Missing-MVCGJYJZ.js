import{a}from"./chunk-FL6ASDRG.js";import"./chunk-5R6JMFYG.js";import"./chunk-U3JAI6C6.js";export{a as default};
