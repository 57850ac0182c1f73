import type { HttpServicesOptions } from "./adapters/http/index.js"
import { createHttpServices } from "./adapters/http/index.js"
import { checkOptions } from "./machines/data/check-arguments.js"
import { refuseConfig } from "./compiler/compile-or-throw.js"
import type { Runner, RunnerOptions } from "./runtime/index.js"
import { createRunner as createBareRunner } from "./runtime/index.js"
import { runnerOptionNames } from "./runtime/runner/runner.js"

export { compile, compileOrThrow, folderOf } from "./compiler/index.js"
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

const optionNames = Object.keys({
  ...runnerOptionNames,
  secrets: true,
  allowTemplateHosts: true,
  allowPrivateAddresses: true,
  allowedHosts: true,
  dispatcher: true,
  maxResponseBytes: true,
  connectTimeoutMs: true,
  lookup: true,
  now: true,
  endpointOf: true,
} satisfies Record<keyof (RunnerOptions & HttpServicesOptions), true>)

/**
 * Creates a runner for Node that includes the HTTP services for `httpConfig`. It combines
 * `createRunner` of `./runtime` with `./adapters/http`. `close` suspends active runs, then closes
 * all connections.
 *
 * @example
 * const runner = createRunner({ secrets: secretsFromEnvironment({ prefix: "AGENT_" }) })
 * const { status, state } = await runner.start(chart, { prompt: "Plan a trip to Tokyo." }).result
 * await runner.close()
 */
export function createRunner(options: RunnerOptions & HttpServicesOptions = {}): Runner {
  checkOptions(options, { call: "createRunner", example: "{ secrets }", known: optionNames })
  const http = createHttpServices({ now: () => options.clock?.now() ?? Date.now(), ...options })
  const runner = createBareRunner({ http, ...options })
  return {
    ...runner,
    start(chart, startOptions) {
      refuseConfig(chart, "runner.start")
      return runner.start(chart, startOptions)
    },
    close: () => runner.close().then(() => http.close()),
  }
}
