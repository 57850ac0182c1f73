import { CallFailedError } from "../../../machines/contract/services.js"
import type { WorkflowRequest } from "../../../machines/workflow-agent/workflow-call.js"

/** Creates the error for an unusable response of a remote agent. `what` describes the problem. */
export const malformed = ({ agent }: WorkflowRequest, what: string): CallFailedError =>
  new CallFailedError({
    code: "service_answer_malformed",
    message: `agent "${agent}": the remote agent ${what}`,
    retryable: true,
  })
