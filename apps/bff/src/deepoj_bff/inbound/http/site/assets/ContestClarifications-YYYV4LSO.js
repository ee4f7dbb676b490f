//# allFunctionsCalledOnLoad
import{j as r,k as m,n as p}from"./chunk-2TJI5BQS.js";import"./chunk-GK6OWA23.js";import{U as t,a as i,u as o}from"./chunk-HV7ALCKD.js";function n({params:e}){let a=p(e.id??"");return t(m,{asked:a,tab:o("contest.clarifications"),children:s=>t(i,{children:[t("h1",{children:o("contest.clarifications")}),t(r,{detail:s})]})})}export{n as default};
