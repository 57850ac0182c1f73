import type { JsonObject } from "../data/json-object.js"
import type { ToolArguments, ToolDeclaration } from "../contract/services.js"

/** Name of the built-in tool with which a model ends a task. */
export const finishTask = "finish_task"

/** The task of an agent in a graph: JSON schema of the value with which the agent ends it. */
export interface AgentTask {
  readonly schema: JsonObject
}

/**
 * Returns whether the value of the task is passed in the argument `result`. This is the case if it
 * is not an object, because the arguments of a tool are an object.
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

/** Returns the value of a task from the arguments of `finish_task`. */
export const taskValue = (task: AgentTask, args: ToolArguments): unknown =>
  isWrapped(task) ? args["result"] : args

export const taskParameters = parametersOf

/** Text of the system message of an agent with a task. */
export const taskText = `You have one task. When it is complete, call the tool \`${finishTask}\` with the result, and call no other tool at the same time. If the task is unclear, ask the user in plain text instead.`

/** The response of the tool `finish_task` to a valid call. */
export const finishTaskSuccess = "Task completed."
