import{a,b}from"./chunk-7MAFOG3D.js";import"./chunk-OWGIAGDP.js";import"./chunk-5MBG3ADL.js";import"./chunk-HPPPQLW6.js";import"./chunk-SAZPMHB3.js";export{b as Solving,a as default};
