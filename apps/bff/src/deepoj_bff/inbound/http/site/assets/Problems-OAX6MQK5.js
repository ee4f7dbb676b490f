import{a,b}from"./chunk-OXXJF2CE.js";import"./chunk-PQBIJ2U2.js";import"./chunk-LDQPK5CR.js";export{b as LevelName,a as default};
