//# allFunctionsCalledOnLoad
import{j as r,k as m,n as p}from"./chunk-AM5Q2TD4.js";import"./chunk-2FD5NACE.js";import{T as t,a as i,t as o}from"./chunk-GQL5UXUF.js";function n({params:e}){let a=p(e.id??"");return t(m,{asked:a,tab:o("contest.clarifications"),children:s=>t(i,{children:[t("h1",{children:o("contest.clarifications")}),t(r,{detail:s})]})})}export{n as default};
