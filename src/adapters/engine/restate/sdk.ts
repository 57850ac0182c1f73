import { notInstalled } from "../../not-installed.js"

const sdk = await import("@restatedev/restate-sdk").catch(
  notInstalled(
    "@restatedev/restate-sdk",
    "1.12.0",
    "adapters/engine/restate",
    " (versions 1.14.2 and later need Node 22)",
  ),
)

export const { CancelledError, RestatePromise, TerminalError, handlers, workflow } = sdk
