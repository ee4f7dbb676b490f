import{a}from"./chunk-LXDR5EG2.js";import"./chunk-Y3KY7KXU.js";import"./chunk-5ZV5KBWY.js";export{a as default};
