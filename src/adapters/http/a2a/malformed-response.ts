import { CallFailedError } from "../../../machines/contract/services.js"
import type { WorkflowRequest } from "../../../machines/workflow-agent/workflow-call.js"

/**
 * Creates the error for an unusable response of a remote agent. `what` is the part of the message
 * that describes the problem, for example "responded without the task".
 */
export const malformedResponseError = ({ agent }: WorkflowRequest, what: string): CallFailedError =>
  new CallFailedError({
    code: "service_answer_malformed",
    message: `agent "${agent}": the remote agent ${what}`,
    retryable: true,
  })
