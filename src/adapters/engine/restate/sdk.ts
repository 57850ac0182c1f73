import { AgentStatechartsError } from "../../../errors.js"

// An optional package: who imports this entry without it is told what to install, and which version.
const sdk = await import("@restatedev/restate-sdk").catch((cause: unknown) => {
  if ((cause as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause
  const message = "agent-statecharts/adapters/engine/restate needs the package @restatedev/restate-sdk beside it: npm install @restatedev/restate-sdk@1.12.0 (versions from 1.14.2 on need Node 22)"
  throw new AgentStatechartsError("engine_package_missing", message, { cause })
})

export const { CancelledError, RestatePromise, TerminalError, handlers, workflow } = sdk
