import { AgentStatechartsError } from "../../../errors.js"
import type { RemoteTask, RemoteTaskOptions } from "../../../machines/workflow-agent/remote-task.js"
import type { WorkflowRequest } from "../../../machines/workflow-agent/workflow-call.js"
import type { CallEndpoint } from "../endpoint/call-endpoint.js"
import { A2aConnection } from "./a2a-connection.js"
import { A2aTask } from "./a2a-task.js"

/**
 * Creates the A2A task that executes a call of a remote agent. No request is sent until a method of
 * the task is called.
 */
export function openTask(
  request: WorkflowRequest,
  options: RemoteTaskOptions,
  callEndpoint: CallEndpoint,
): RemoteTask {
  const { remote } = request
  if (remote === undefined)
    throw new AgentStatechartsError("internal", `agent "${request.agent}" is not a remote agent`)
  const controller = new AbortController()
  const { clock } = options
  const { signal } = controller
  const connection = new A2aConnection({ callEndpoint, request, remote, clock, signal })
  return new A2aTask({ request, options, connection, controller })
}
