import{a,b}from"./chunk-ZD63N2PZ.js";import"./chunk-EV4KZFYM.js";import"./chunk-5HRHZXLE.js";export{b as LevelName,a as default};
