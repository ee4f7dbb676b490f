//# allFunctionsCalledOnLoad
import{j as r,k as m,n as p}from"./chunk-ZFWO6TQK.js";import"./chunk-OEQMIFIS.js";import{U as t,a as i,u as o}from"./chunk-EURQ6BQ3.js";function n({params:e}){let a=p(e.id??"");return t(m,{asked:a,tab:o("contest.clarifications"),children:s=>t(i,{children:[t("h1",{children:o("contest.clarifications")}),t(r,{detail:s})]})})}export{n as default};
