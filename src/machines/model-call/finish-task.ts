import type { JsonObject } from "../data/json-object.js"
import type { ToolArguments, ToolDeclaration } from "../contract/services.js"

/** Name of the built-in tool with which a model ends a task. */
export const finishTask = "finish_task"

/**
 * The task of an agent in a graph. The agent ends the task with a value that matches the JSON
 * schema.
 */
export interface AgentTask {
  readonly schema: JsonObject
}

/**
 * Returns whether the task's result is passed in the argument `result`. This is necessary if the
 * result is not an object, because tool arguments are always an object.
 */
const isWrapped = ({ schema }: AgentTask): boolean => schema["type"] !== "object"

const parametersOf = (task: AgentTask): JsonObject =>
  isWrapped(task)
    ? { type: "object", properties: { result: task.schema }, required: ["result"] }
    : task.schema

export const finishTaskDeclaration = (task: AgentTask): ToolDeclaration => ({
  type: "function",
  function: {
    name: finishTask,
    description: "Ends the task with its result. Call it alone, when the task is complete.",
    parameters: parametersOf(task),
  },
})

/** Returns the task's result from the arguments of a `finish_task` call. */
export const taskValue = (task: AgentTask, args: ToolArguments): unknown =>
  isWrapped(task) ? args["result"] : args

export const taskParameters = parametersOf

/** Text that is added to the system message of an agent with a task. */
export const taskText = `You have one task. When it is complete, call the tool \`${finishTask}\` with the result, and call no other tool at the same time. If the task is unclear, ask the user in plain text instead.`

/** The tool result that the model receives after a valid call of `finish_task`. */
export const finishTaskSuccess = "Task completed."
