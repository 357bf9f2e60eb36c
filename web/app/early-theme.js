try{const t=localStorage.getItem("svc-theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}
