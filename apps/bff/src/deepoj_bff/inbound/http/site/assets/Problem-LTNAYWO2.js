//# allFunctionsCalledOnLoad
import{o as i}from"./chunk-2FD5NACE.js";import{H as t,T as o,X as p,Y as m}from"./chunk-GQL5UXUF.js";function l({params:e}){let a=e.slug??"",r=t("GET /api/problems/{problem}",{path:{problem:a}});return r.error&&!r.data?o("div",{class:"page",children:o(p,{of:r.error,retry:r.reload})}):r.data?o(i,{problem:r.data}):o(m,{})}export{l as default};
