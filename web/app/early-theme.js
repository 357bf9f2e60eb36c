__webpack_nonce__=document.currentScript.nonce||undefined;try{const t=localStorage.getItem("svc-theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}
