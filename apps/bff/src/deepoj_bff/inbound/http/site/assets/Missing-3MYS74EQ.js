import{a}from"./chunk-4LR76YOZ.js";import"./chunk-7BFIFXWE.js";export{a as default};
