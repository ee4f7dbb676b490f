import{a}from"./chunk-XV7W324E.js";import"./chunk-6RTE7TOL.js";export{a as default};
