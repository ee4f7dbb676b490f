import{a}from"./chunk-CRR7L3JV.js";import"./chunk-YB4WYQ5Z.js";import"./chunk-OCUVZVS3.js";export{a as default};
