import{a}from"./chunk-YBN5OU5Q.js";import"./chunk-3ZFVDX5J.js";import"./chunk-6O7POSTL.js";export{a as default};
