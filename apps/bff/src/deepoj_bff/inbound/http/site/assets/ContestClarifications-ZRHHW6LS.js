//# allFunctionsCalledOnLoad
import{j as r,k as m,n as p}from"./chunk-D5W5P6SO.js";import"./chunk-ZMDPYOT5.js";import{U as t,a as i,u as o}from"./chunk-QDDZQA62.js";function n({params:e}){let a=p(e.id??"");return t(m,{asked:a,tab:o("contest.clarifications"),children:s=>t(i,{children:[t("h1",{children:o("contest.clarifications")}),t(r,{detail:s})]})})}export{n as default};
