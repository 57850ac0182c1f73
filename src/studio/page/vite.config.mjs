import { defineConfig } from "vite"

/** The page is built into the package: it loads nothing from anywhere else. */
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
