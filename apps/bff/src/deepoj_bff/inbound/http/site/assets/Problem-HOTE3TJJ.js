import{a,b}from"./chunk-PFZCWOHA.js";import"./chunk-KRTKPABK.js";import"./chunk-SRVXPW7A.js";import"./chunk-AO6BIT3Q.js";import"./chunk-IOVVLUXS.js";export{b as Solving,a as default};
