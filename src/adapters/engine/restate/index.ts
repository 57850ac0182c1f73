/**
 * Executes runs of agents on Restate, so that they survive the failure of processes and machines.
 * Requires the package `@restatedev/restate-sdk` (docs/scaling.md).
 */
export {
  restateClient,
  type RestateCallOptions,
  type RestateClient,
  type RestateClientOptions,
} from "./restate-client.js"
export {
  restateWorkflow,
  type RestateHandlers,
  type RestateOrder,
  type RestateWorkflowOptions,
} from "./restate-workflow.js"
export type { RejectedMessage, RestateStatus } from "./run-status.js"
