//# allFunctionsCalledOnLoad
import{b as r,c as e}from"./chunk-EURQ6BQ3.js";var d=200;function c(s,i){let[u,n]=r([]),t=s.trim();return e(()=>{if(!t)return n([]);let o=new AbortController,a=setTimeout(()=>i(t,o.signal).then(n,()=>{}),d);return()=>{clearTimeout(a),o.abort()}},[t]),u}export{c as a};
