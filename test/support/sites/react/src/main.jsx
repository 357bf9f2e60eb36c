/** A small app as people publish them: state in localStorage, routes behind the hash, one route in a chunk of its own. */
import { lazy, Suspense, useEffect, useState } from "react"
import { createRoot } from "react-dom/client"
import "./style.css"

const Second = lazy(() => import("./second.jsx"))

const useHash = () => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  return hash
}

const App = () => {
  const [count, setCount] = useState(() => Number(localStorage.getItem("count") ?? 0))
  const hash = useHash()
  useEffect(() => {
    localStorage.setItem("count", String(count))
    document.title = `Counted ${count}`
  }, [count])
  return (
    <main>
      <button onClick={() => setCount(count + 1)}>Counted {count}</button>
      <a href="#/second">Second</a>
      {hash === "#/second" && <Suspense><Second /></Suspense>}
    </main>
  )
}

createRoot(document.getElementById("root")).render(<App />)
