import{a}from"./chunk-B466MUYM.js";import"./chunk-EURQ6BQ3.js";export{a as default};
