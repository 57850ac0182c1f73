import { notInstalled } from "../../not-installed.js"

const inspector = await import("@statelyai/inspect").catch(
  notInstalled("@statelyai/inspect", "0.7.2", "adapters/inspect/stately"),
)

export const { createBrowserInspector, createInspector, createWebSocketInspector } = inspector
