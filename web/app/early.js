try{const t=localStorage.getItem("svc-theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}
addEventListener("error",({target})=>{
if(!(target instanceof HTMLScriptElement&&target.type==="module"))return
const show=()=>{const left=document.getElementById("unloaded");if(left===null)return;document.getElementById("waiting")?.remove();document.getElementById("app").append(left.content);left.remove()}
if(document.readyState==="loading")addEventListener("DOMContentLoaded",show);else show()
},true)
