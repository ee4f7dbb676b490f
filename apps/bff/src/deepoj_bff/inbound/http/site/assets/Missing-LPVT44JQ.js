import{a}from"./chunk-D577FAUJ.js";import"./chunk-YVOMWJGU.js";export{a as default};
