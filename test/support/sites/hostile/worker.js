self.addEventListener("fetch", () => {})
