import { said } from "./part.js"
const facts = await (await fetch("/data/facts.json")).json()
await document.fonts.load("16px Face")
document.querySelector("#facts").textContent = said(facts.answer, document.fonts.check("16px Face"))
