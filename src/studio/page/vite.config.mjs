import { defineConfig } from "vite"

/**
 * Vite config that builds the studio's page into `dist`. The built page loads nothing from other
 * hosts.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../../dist/studio/page",
    emptyOutDir: true,
    chunkSizeWarningLimit: 1000,
    modulePreload: { polyfill: false },
  },
})
