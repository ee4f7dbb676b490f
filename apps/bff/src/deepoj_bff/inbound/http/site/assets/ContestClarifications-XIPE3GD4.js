//# allFunctionsCalledOnLoad
import{j as r,k as m,n as p}from"./chunk-YKA22X43.js";import"./chunk-ZISZ5EFU.js";import{U as t,a as i,u as o}from"./chunk-YVOMWJGU.js";function n({params:e}){let a=p(e.id??"");return t(m,{asked:a,tab:o("contest.clarifications"),children:s=>t(i,{children:[t("h1",{children:o("contest.clarifications")}),t(r,{detail:s})]})})}export{n as default};
