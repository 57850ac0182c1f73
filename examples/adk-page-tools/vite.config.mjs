import { defineConfig } from "vite"

// Forwards the requests of the page to the server, so that both have the same origin.
export default defineConfig({
  server: { proxy: { "/ag-ui": process.env.AGENT_SERVER_URL ?? "http://127.0.0.1:4000" } },
})
