/**
 * Typed client for a server that was started with `agent-statecharts serve`. It works in browsers,
 * workers and Node.
 */
export { createClient } from "./client.js"
export type { Client, RemoteRunSummary, RemoteStartOptions, RemoteWorkflow } from "./client.js"
export { ClientError } from "./client-error.js"
export type { ClientOptions } from "./connection.js"
export { RemoteRun } from "./remote-run.js"
export type { RemoteRunResult, RemoteRunStatus } from "./remote-run.js"
export type { RemoteDelivery, RemoteWebhook, RemoteWebhooks } from "./remote-webhooks.js"
export type { StreamOptions, StreamPart } from "./stream-run.js"
