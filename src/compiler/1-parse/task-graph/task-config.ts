import type { JsonObject } from "../../../machines/data/json-object.js"
import type { taskNodes } from "../../agent-types/task-nodes.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import type { ParsedFields } from "../config/agent-config.js"

/**
 * A Graph Compose graph after parsing. Its nodes refer to each other by id. The resolve phase of
 * the compiler replaces these ids.
 */
export interface TaskGraphConfig {
  readonly tasks: readonly TaskConfig[]
  readonly context: JsonObject
  readonly webhookUrl: string | null
  /** The `workflowExecutionTimeout` in milliseconds. Null means no limit. */
  readonly timeoutMs: number | null
  readonly location: ParserLocation
}

export type TaskConfigType = keyof typeof taskNodes

type ParsedTask<Type extends TaskConfigType> = ParsedFields<(typeof taskNodes)[Type]["fields"]> & {
  readonly type: Type
  readonly location: ParserLocation
  readonly fieldAt: (field: string) => ConfigLocation
}

export type ParsedHttpTask = ParsedTask<"http">
export type ParsedAdkTask = ParsedTask<"adk">
export type ParsedLoopTask = ParsedTask<"forEach">
export type ParsedLoopEndTask = ParsedTask<"endForEach">
export type ParsedBoundaryTask = ParsedTask<"error_boundary">
export type ParsedConfirmationTask = ParsedTask<"confirmation">
export type ParsedSourceTask = ParsedTask<"source_iterator">
export type ParsedDestinationTask = ParsedTask<"destination">

/** A node of a Graph Compose graph after parsing. */
export type TaskConfig =
  | ParsedHttpTask
  | ParsedAdkTask
  | ParsedLoopTask
  | ParsedLoopEndTask
  | ParsedBoundaryTask
  | ParsedConfirmationTask
  | ParsedSourceTask
  | ParsedDestinationTask
