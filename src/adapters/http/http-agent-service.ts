import type { RemoteAgentService, RemoteTask } from "../../machines/workflow-agent/remote-task.js"
import { createCallEndpoint, type HttpServiceOptions } from "./endpoint/call-endpoint.js"

/**
 * Creates a service that calls remote agents over the A2A protocol
 * (docs/semantics.md#remote-agents). The code for A2A is loaded at the first call.
 */
export function createHttpAgentService(options: HttpServiceOptions): RemoteAgentService {
  const callEndpoint = createCallEndpoint(options)
  return {
    open(request, taskOptions) {
      const opened = import("./a2a/open-task.js").then(({ openTask }) =>
        openTask(request, taskOptions, callEndpoint),
      )
      // If the A2A code cannot be loaded, `deliver`, `progress` and `cancel` reject, and `close`
      // does nothing.
      const ifOpen = (use: (task: RemoteTask) => void): void => void opened.then(use, () => {})
      return {
        deliver: async (next) => (await opened).deliver(next),
        progress: async (...next) => (await opened).progress(...next),
        cancel: async () => (await opened).cancel(),
        close: () => ifOpen((task) => task.close()),
      }
    },
  }
}
