import { createHttpServices } from "./adapters/http/index.js"
import { runnerWithHttp } from "./runner-with-http.js"

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
 * Creates a runner that executes workflows in Node and sends the HTTP requests of agents and tools.
 * Combines `createRunner` of `./runtime` with the HTTP services of `./adapters/http`. The runner's
 * `close` method suspends active runs, then closes all connections.
 *
 * @example
 * const runner = createRunner({ secrets: secretsFromEnvironment({ prefix: "AGENT_" }) })
 * const { status, state } = await runner.start(chart, { prompt: "Plan a trip to Tokyo." }).result
 * await runner.close()
 */
export const createRunner = runnerWithHttp(createHttpServices)
