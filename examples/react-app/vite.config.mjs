import { defineConfig } from "vite"

const { AGENT_SERVER_URL = "http://127.0.0.1:4000", AGENT_SERVER_TOKEN = "secret" } = process.env

// The page sends its requests to its own origin, and Vite forwards them with the token. Therefore the token never
// reaches a browser, and the server needs no --allow-origin. In production, your back end does the same.
const proxy = {
  "/v1": { target: AGENT_SERVER_URL, headers: { authorization: `Bearer ${AGENT_SERVER_TOKEN}` } },
}

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic" } },
  server: { proxy },
  preview: { proxy },
})
