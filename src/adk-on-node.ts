import { createHttpServices } from "./adapters/http/index.js"
import type { HttpServicesOptions } from "./adapters/http/index.js"
import type { ClosableRunner, ExecuteOptions, ExecutionResult } from "./adk/index.js"
import { GraphCompose as BareGraphCompose } from "./adk/index.js"
import { createRunner } from "./runtime/index.js"

export * from "./adk/index.js"

/** The chain of Graph Compose's client, with HTTP built in: `execute()` needs nothing more. */
export class GraphCompose<Keys extends string = string> extends BareGraphCompose<Keys> {
  override execute(
    options: ExecuteOptions & HttpServicesOptions = {},
  ): Promise<ExecutionResult<Keys>> {
    return super.execute(options)
  }

  protected override runnerFor(options: ExecuteOptions & HttpServicesOptions): ClosableRunner {
    const http = createHttpServices({ now: () => options.clock?.now() ?? Date.now(), ...options })
    return { ...createRunner({ http, ...options }), close: () => http.close() }
  }
}
