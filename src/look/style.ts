/** The one stylesheet of every page that the server renders: a single text, so that a policy needs a single hash. */
import { facesCss } from "./faces.ts"
import { tokensCss } from "./tokens.ts"

const ground = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--desk);color:var(--ink);
font:400 var(--text-body)/1.5 var(--ui);font-synthesis:none;-webkit-font-smoothing:antialiased;overflow-wrap:break-word}
h1,h2,p,ol,ul,dl,dd,pre,figure{margin:0;padding:0}
h1,h2{font-weight:600;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
h1{font-size:var(--text-title)}h2{font-size:var(--text-lead)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
code,.fact{font-family:var(--mono);font-size:.875em;overflow-wrap:anywhere}
.term{white-space:nowrap}
.muted{color:var(--muted)}.small{font-size:var(--text-small)}
.accent-stroke{stroke:var(--accent)}.accent-fill{fill:var(--accent)}`

const desk = `
.sheet{background:var(--sheet);border-radius:var(--radius-sheet);box-shadow:var(--float);width:100%}
.home{display:inline-flex;align-items:center;gap:8px;min-height:44px;color:var(--ink);font-weight:600;font-size:var(--text-body);text-decoration:none}
.home:hover{text-decoration:underline}
.mark{flex:none}
.drawing{display:block;margin:0 0 24px -6px;color:var(--ink)}
.drawing .faint{stroke:var(--muted);opacity:.7}
.drawing .paper{fill:var(--sheet)}
.slip{max-width:464px;margin:auto;padding:40px 40px 44px}
.slip p{margin-top:12px;max-width:56ch}
.slip .next{color:var(--muted)}
.slip form,.slip .doing{margin-top:28px}
.slip-frame{flex:1;display:flex;flex-direction:column;padding:24px 16px 16px}
.foot{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;justify-content:space-between;width:100%;max-width:464px;margin:16px auto 0;padding:0 8px;color:var(--muted);font-size:var(--text-small)}
.wide-frame{flex:1;width:100%;max-width:840px;margin:0 auto;padding:16px 16px 64px}
.wide-frame>header{padding:0 8px 12px}
.wide{padding:40px}
@media (min-width:760px){.wide{padding:56px 64px 64px}.wide h1{font-size:var(--text-display)}.wide-frame{padding-top:32px}}
@media (max-width:480px){.slip,.wide{padding:28px 24px 32px}}`

const controls = `
.button{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:8px 18px;border:1px solid var(--ink);border-radius:var(--radius-control);
background:var(--ink);color:var(--sheet);font:500 var(--text-control)/1.4 var(--ui);text-decoration:none;cursor:pointer;max-width:100%;overflow-wrap:anywhere}
.button:hover{background:color-mix(in srgb,var(--ink) 86%,var(--sheet))}
.button:focus-visible{border-radius:var(--radius-control)}
.button.quiet{background:transparent;color:var(--ink);border-color:color-mix(in srgb,var(--muted) 55%,var(--sheet))}
.button.quiet:hover{border-color:var(--ink)}
.actions{display:flex;flex-wrap:wrap;gap:8px}
.field{display:block;margin-bottom:16px;font:500 var(--text-control)/1.4 var(--ui)}
.field input{display:block;width:100%;min-height:44px;margin-top:6px;padding:8px 12px;border:1px solid color-mix(in srgb,var(--muted) 70%,var(--sheet));
border-radius:var(--radius-control);background:var(--sheet);color:var(--ink);font:400 var(--text-body)/1.4 var(--ui)}
.field input:focus-visible{outline-offset:1px}
.refusal{color:var(--bad);font-weight:500}
form .button{width:100%}
pre{margin-top:12px;padding:16px;border-radius:var(--radius-control);background:var(--desk);font:400 var(--text-small)/1.6 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere;tab-size:2}
pre code{font-size:inherit}
@media (forced-colors:active){.button{forced-color-adjust:none}.button.quiet{border-color:CanvasText}}`

const contents = `
.lead{margin-top:16px;font-size:var(--text-lead);color:var(--muted);max-width:52ch}
.lead+.doing{margin-top:24px}
.steps{list-style:none;margin-top:44px}
.steps>li{padding-top:28px;margin-top:32px;border-top:1px solid var(--line)}
.steps p{margin-top:8px;max-width:62ch}
.ways{display:flex;flex-wrap:wrap;gap:4px 24px;margin-top:40px;padding-top:16px;border-top:1px solid var(--line)}
.ways a{display:inline-flex;align-items:center;min-height:44px}
.mails{list-style:none;margin-top:28px}
.mails li{padding:20px 0;border-top:1px solid var(--line)}
.mails li:last-child{padding-bottom:0}
.mails h2{font-size:var(--text-body)}
.mails h2 a{display:block;color:var(--ink);text-decoration:none}.mails h2 a:hover{text-decoration:underline}
.facts{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 16px;margin-top:4px;color:var(--muted);font-size:var(--text-small)}
.mails .actions{margin-top:12px}
.letter{display:grid;gap:32px;margin-top:32px}
.letter h2{margin-bottom:12px}
.letter iframe{display:block;width:100%;height:560px;border:1px solid var(--line);border-radius:var(--radius-control);background:var(--desk)}
.letter pre{margin:0}
.mail-head{margin-top:12px}.mail-head .actions{margin-top:24px}
@media (min-width:1100px){.mail-frame{max-width:1160px}.letter{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
@media (max-width:480px){.actions .button{flex:1 1 auto}}`

export const style = [facesCss, tokensCss, ground, desk, controls, contents].join("").replaceAll("\n", "")
