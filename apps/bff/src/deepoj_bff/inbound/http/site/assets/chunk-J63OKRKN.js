//# allFunctionsCalledOnLoad
import{G as r}from"./chunk-7G4GSNEV.js";function t(a,o){let e=document.createElement("a");e.href=URL.createObjectURL(a),e.download=o,e.click(),URL.revokeObjectURL(e.href)}async function c(a,o,e){t(await r("GET /api/problems/{problem}/export",{path:{problem:a},query:e}),`${o}.zip`)}export{c as a};
