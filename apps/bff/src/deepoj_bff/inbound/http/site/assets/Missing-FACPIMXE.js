import{a}from"./chunk-5NYUE74I.js";import"./chunk-F546YTF2.js";export{a as default};
