//# allFunctionsCalledOnLoad
import{G as r}from"./chunk-EURQ6BQ3.js";function t(a,o){let e=document.createElement("a");e.href=URL.createObjectURL(a),e.download=o,e.click(),URL.revokeObjectURL(e.href)}async function c(a,o,e){t(await r("GET /api/problems/{problem}/export",{path:{problem:a},query:e}),`${o}.zip`)}export{c as a};
