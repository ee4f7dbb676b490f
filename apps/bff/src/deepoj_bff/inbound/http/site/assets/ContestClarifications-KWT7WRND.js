//# allFunctionsCalledOnLoad
import{j as r,k as m,n as p}from"./chunk-LSV73KR3.js";import"./chunk-J7J56D6D.js";import{U as t,a as i,u as o}from"./chunk-7G4GSNEV.js";function n({params:e}){let a=p(e.id??"");return t(m,{asked:a,tab:o("contest.clarifications"),children:s=>t(i,{children:[t("h1",{children:o("contest.clarifications")}),t(r,{detail:s})]})})}export{n as default};
