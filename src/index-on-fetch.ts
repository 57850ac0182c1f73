import { createHttpServices } from "./adapters/http/index-on-fetch.js"
import { runnerWithHttp } from "./runner-with-http.js"

// The main entry for browsers and workers. It exports the same names as `index.ts`.
export { compile, compileOrThrow, folderOf, readPolicies } from "./compiler/index.js"
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
 * Creates a runner that executes workflows and sends the HTTP requests of agents and tools with
 * `fetch`. Combines `createRunner` of `./runtime` with the HTTP services of `./adapters/http`. The
 * runner's `close` method suspends active runs, then closes all connections.
 *
 * @example
 * const runner = createRunner({ secrets: secretsFromEnvironment({ prefix: "AGENT_" }) })
 * const { status, state } = await runner.start(chart, { prompt: "Plan a trip to Tokyo." }).result
 * await runner.close()
 */
export const createRunner = runnerWithHttp(createHttpServices)
