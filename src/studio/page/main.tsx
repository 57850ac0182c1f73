import { render } from "preact"
import { App } from "./app.js"

const container = document.getElementById("app")
if (container !== null) render(<App />, container)
