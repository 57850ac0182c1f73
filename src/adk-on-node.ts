import { createHttpServices } from "./adapters/http/index.js"
import type { HttpServicesOptions } from "./adapters/http/index.js"
import type {
  ClosableRunner,
  ExecuteOptions,
  ExecutionResult,
  GraphComposeWorkflow,
} from "./adk/index.js"
import { GraphCompose } from "./adk/index.js"
import { createRunner } from "./runtime/index.js"

export * from "./adk/index.js"
export { GraphComposeOnNode as GraphCompose }

/**
 * The workflow builder of the Graph Compose client for Node. Its method `execute()` calls the HTTP
 * endpoints in the `httpConfig` of agents and tools without further setup.
 */
class GraphComposeOnNode<
  Keys extends string = string,
  Config extends GraphComposeWorkflow = GraphComposeWorkflow,
> extends GraphCompose<Keys, Config> {
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
