import { play } from "./program.js"

addEventListener("message", ({ data }) =>
  play(data).then(postMessage, (error) => postMessage(String(error))),
)
