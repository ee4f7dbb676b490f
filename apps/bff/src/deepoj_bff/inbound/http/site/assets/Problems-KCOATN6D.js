import{a,b}from"./chunk-GDM43YVR.js";import"./chunk-M7PQUNYH.js";import"./chunk-UAQIYRVD.js";export{b as LevelName,a as default};
