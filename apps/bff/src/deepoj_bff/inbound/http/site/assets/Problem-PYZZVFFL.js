//# allFunctionsCalledOnLoad
import{o as i}from"./chunk-OEQMIFIS.js";import{I as t,U as o,Y as p,Z as m}from"./chunk-EURQ6BQ3.js";function l({params:e}){let a=e.slug??"",r=t("GET /api/problems/{problem}",{path:{problem:a}});return r.error&&!r.data?o("div",{class:"page",children:o(p,{of:r.error,retry:r.reload})}):r.data?o(i,{problem:r.data}):o(m,{})}export{l as default};
