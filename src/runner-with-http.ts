import type { HttpServices, HttpServicesOptions } from "./adapters/http/index.js"
import { refuseConfig } from "./compiler/compile-or-throw.js"
import { checkOptions } from "./machines/data/check-arguments.js"
import type { MemoryOption, Runner, RunnerOptions } from "./runtime/index.js"
import { runnerOptionNames } from "./runtime/runner/runner-options.js"
import { createRunner } from "./runtime/index.js"

const optionNames = Object.keys({
  ...runnerOptionNames,
  memory: true,
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
} satisfies Record<keyof (RunnerOptions & MemoryOption & HttpServicesOptions), true>)

/**
 * Returns a `createRunner` function. The runners that it creates send HTTP requests with the
 * services that `createHttpServices` returns. Each package entry passes the services of its
 * platform, such as Node or `fetch`.
 */
export const runnerWithHttp =
  (createHttpServices: (options?: HttpServicesOptions) => HttpServices) =>
  (options: RunnerOptions & MemoryOption & HttpServicesOptions = {}): Runner => {
    checkOptions(options, { call: "createRunner", example: "{ secrets }", known: optionNames })
    const http = createHttpServices({ now: () => options.clock?.now() ?? Date.now(), ...options })
    const runner = createRunner({ http, ...options })
    return {
      ...runner,
      start(chart, startOptions) {
        refuseConfig(chart, "runner.start")
        return runner.start(chart, startOptions)
      },
      close: () => runner.close().then(() => http.close()),
    }
  }
