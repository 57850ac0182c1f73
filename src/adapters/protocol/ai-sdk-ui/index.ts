/** Streams runs to web frontends that use `useChat` of the Vercel AI SDK, version 6. */
export {
  runMessageStream,
  runMessageResponse,
  type RunUiMessage,
  type RunMessageOptions,
} from "./run-message-stream.js"
export { approvalsIn, type ApprovalResponse } from "./approvals-in.js"
export type { RunData, RunMessageMetadata } from "./run-chunks.js"
