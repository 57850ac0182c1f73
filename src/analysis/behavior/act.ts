import type { FailureClass } from "../../machines/contract/activity.js"

/**
 * One response that a run receives from a model, a tool, a host function, a person or the clock. A
 * run that receives the acts of a counterexample, in order, repeats the counterexample. Responses
 * that are not among its acts do not influence its path.
 */
export type Act = ModelAct | ToolAct | FunctionAct | PersonAct | ClockAct

/** The act of a model: its response, with the tool calls and control requests that it contains. */
export interface ModelAct {
  readonly by: "model"
  readonly agent: string
  /**
   * Names of the called tools, in order. A name that is not a tool of the agent represents an
   * arbitrary call without relevant effects.
   */
  readonly calls: readonly string[]
  /**
   * A control request in the response, such as the end of the run, in addition to its tool calls.
   * null: none.
   */
  readonly asks: "exitFlow" | "escalate" | "waitForUserInput" | "hitlRequest" | null
  /** The agent to which the response transfers the conversation. null: no transfer. */
  readonly transfersTo: string | null
  readonly fails: boolean
  /**
   * The class of the model's failure if a fallback model is called next. Absent: no fallback model
   * is called.
   */
  readonly failure?: FailureClass
  /**
   * True if `calls` belong to the same model response as the agent's previous act. Absent: this act
   * is a new response.
   */
  readonly isContinued?: true
}

/**
 * The result of a tool that a service executes, as opposed to a tool that the run itself executes.
 */
export interface ToolAct {
  readonly by: "tool"
  readonly agent: string
  readonly tool: string
  readonly result: "value" | "error" | "pending"
}

/** The act of a host function: its effects until it returns, throws or starts a sub-agent. */
export interface FunctionAct {
  readonly by: "function"
  readonly agent: string
  readonly service: string
  /**
   * Name of the tool that the function implements, replaces or decides about. null: the function is
   * not related to a tool.
   */
  readonly tool: string | null
  /** Session state keys that the function writes. */
  readonly writes: readonly string[]
  /**
   * How the function ends. `returns`: normally. `throws`: with an exception. `answers`: a callback
   * returns a response that replaces the agent, model call or tool call. `fails`: a tool function
   * returns an error. `pending`: the result follows later. `judges`: a policy engine returns its
   * decision. `runs`: a custom agent starts a sub-agent.
   */
  readonly ends: "returns" | "throws" | "answers" | "fails" | "pending" | "judges" | "runs"
  /**
   * The sub-agent that the function starts, the route that it returns, or its decision. null: none
   * of these applies.
   */
  readonly value: string | null
  readonly escalates: boolean
  readonly transfersTo: string | null
  readonly skipsSummarization: boolean
  readonly changesArguments: boolean
}

/** The act of a person: an answer to a request, a message or a cancellation. */
export interface PersonAct {
  readonly by: "person"
  /** The agent whose request the person answers. null: the person acts without a request. */
  readonly agent: string | null
  /** Name of the tool that the request is about. null: the request is not about a single tool. */
  readonly tool: string | null
  /**
   * What the person does. `deliver`: the person delivers the result of a pending tool call.
   * `message`: the person sends another message to an idle run. `stop`: the person cancels the run.
   */
  readonly does: "approve" | "reject" | "answer" | "deliver" | "message" | "stop"
}

/** The act of the clock: a timeout expires. */
export interface ClockAct {
  readonly by: "clock"
  /** The agent whose request or turn times out. null: the whole run times out. */
  readonly agent: string | null
  readonly ends: "request" | "turn" | "run"
}

/**
 * Returns the act of a host function that returns normally without effects. The fields in the
 * argument replace these defaults.
 */
export const functionAct = (
  service: string,
  agent: string,
  other: Partial<FunctionAct> = {},
): FunctionAct => ({
  by: "function",
  agent,
  service,
  tool: null,
  writes: [],
  ends: "returns",
  value: null,
  escalates: false,
  transfersTo: null,
  skipsSummarization: false,
  changesArguments: false,
  ...other,
})

/**
 * Name of a tool that does not exist. Represents any call without an effect that a policy observes.
 */
export const otherCall = "no_such_tool"
