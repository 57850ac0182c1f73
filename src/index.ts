import type { HttpServicesOptions } from "./adapters/http/index.js"
import { createHttpServices } from "./adapters/http/index.js"
import type { Runner, RunnerOptions } from "./runtime/index.js"
import { createRunner as createBareRunner } from "./runtime/index.js"

export { compile, folderOf } from "./compiler/index.js"
export type {
  CompileOptions,
  Compiled,
  ConfigFolder,
  Diagnostic,
  DiagnosticCode,
  Need,
  OpenedFile,
  ServiceDeclaration,
  ServiceKind,
} from "./compiler/index.js"
export { AgentStatechartsError, errorCodes } from "./errors.js"
export type { ErrorCode } from "./errors.js"

/**
 * A runner for Node that serves `httpConfig` over HTTP: that of `./runtime` with the services of `./adapters/http` built in.
 * `close` suspends the runs that are still going, then ends the sockets.
 *
 * @example
 * const runner = createRunner({ secrets: secretsFromEnvironment({ prefix: "AGENT_" }) })
 * const { status, state } = await runner.start(chart, { prompt: "Plan a trip to Tokyo." }).result
 * await runner.close()
 */
export function createRunner(options: RunnerOptions & HttpServicesOptions = {}): Runner {
  const http = createHttpServices({ now: () => options.clock?.now() ?? Date.now(), ...options })
  const runner = createBareRunner({ http, ...options })
  return { ...runner, close: () => runner.close().then(() => http.close()) }
}
