import type { JsonObject } from "../data/json-object.js"
import type { ToolArguments, ToolDeclaration } from "../contract/services.js"

/** Name of the built-in tool that a model calls to end its agent's task and return the result. */
export const finishTask = "finish_task"

/**
 * The task of an agent in a workflow graph. The agent works until it ends the task with a result
 * that matches the JSON schema.
 */
export interface AgentTask {
  readonly schema: JsonObject
}

/**
 * Returns whether the model must pass the task's result in the argument `result` of `finish_task`.
 * This is necessary if the result is not an object, because the arguments of a tool are always an
 * object.
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

/** Returns the result of a task from the arguments of the model's `finish_task` call. */
export const taskValue = (task: AgentTask, args: ToolArguments): unknown =>
  isWrapped(task) ? args["result"] : args

export const taskParameters = parametersOf

/** Text in the system message of an agent that has a task. It explains how to end the task. */
export const taskText = `You have one task. When it is complete, call the tool \`${finishTask}\` with the result, and call no other tool at the same time. If the task is unclear, ask the user in plain text instead.`

/** Tool result that the model receives after a valid call of `finish_task`. */
export const finishTaskSuccess = "Task completed."
