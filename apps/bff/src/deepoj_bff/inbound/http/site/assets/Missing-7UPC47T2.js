import{a}from"./chunk-FJL6B7KP.js";import"./chunk-EV4KZFYM.js";import"./chunk-5HRHZXLE.js";export{a as default};
