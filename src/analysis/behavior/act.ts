import type { FailureClass } from "../../machines/contract/activity.js"

/**
 * One response that a run receives from a model, a tool, a host function, a person or the clock. A
 * counterexample of a policy contains a list of acts. A run that receives them in order repeats the
 * counterexample. All other responses do not influence its path.
 */
export type Act = ModelAct | ToolAct | FunctionAct | PersonAct | ClockAct

/** A response of a model, with its tool calls and control requests. */
export interface ModelAct {
  readonly by: "model"
  readonly agent: string
  /**
   * Names of the called tools, in order. A name that is not a tool of the agent stands for any call
   * without relevant effects.
   */
  readonly calls: readonly string[]
  /**
   * A control request in the response in addition to its tool calls, for example to end the run
   * (`exitFlow`). null if there is none.
   */
  readonly asks: "exitFlow" | "escalate" | "waitForUserInput" | "hitlRequest" | null
  /**
   * The agent that receives the conversation (a handoff). null if the response does not transfer
   * the conversation.
   */
  readonly transfersTo: string | null
  readonly fails: boolean
  /**
   * The kind of failure of the model call if a fallback model is called next. Absent if no fallback
   * model is called.
   */
  readonly failure?: FailureClass
  /**
   * Set if `calls` belong to the same model response as the agent's previous entry in the list. If
   * absent, this entry is a new response.
   */
  readonly isContinued?: true
}

/**
 * A result of a tool that a service executes. Tools that the run executes itself, such as
 * AgentTools, have no such act.
 */
export interface ToolAct {
  readonly by: "tool"
  readonly agent: string
  readonly tool: string
  readonly result: "value" | "error" | "pending"
}

/** One execution of a host function: its effects until it returns, throws or starts a sub-agent. */
export interface FunctionAct {
  readonly by: "function"
  readonly agent: string
  readonly service: string
  /**
   * Name of the tool that the function implements, replaces or decides about. null if the function
   * is not related to a tool.
   */
  readonly tool: string | null
  /** Session state keys that the function writes. */
  readonly writes: readonly string[]
  /**
   * How the function ends. `returns` means normally, and `throws` means with an exception.
   * `answers` is a callback that returns a response in place of the agent, the model or the tool.
   * `fails` is a tool function that returns an error. With `pending`, the result follows later.
   * `judges` is a policy engine that returns its decision. `runs` is a custom agent that starts a
   * sub-agent.
   */
  readonly ends: "returns" | "throws" | "answers" | "fails" | "pending" | "judges" | "runs"
  /**
   * The sub-agent that the function starts, the route that it returns, or its decision. null if the
   * function has none of these results.
   */
  readonly value: string | null
  readonly escalates: boolean
  readonly transfersTo: string | null
  readonly skipsSummarization: boolean
  readonly changesArguments: boolean
}

/** An action of a person: an answer to a request, a message or a cancellation. */
export interface PersonAct {
  readonly by: "person"
  /** The agent whose request the person answers. null if the person acts without a request. */
  readonly agent: string | null
  /** Name of the tool that the request is about. null if the request is not about a single tool. */
  readonly tool: string | null
  /**
   * The action of the person. With `deliver`, the person delivers the result of a pending tool
   * call. With `message`, the person sends another message to an idle run. With `stop`, the person
   * cancels the run.
   */
  readonly does: "approve" | "reject" | "answer" | "deliver" | "message" | "stop"
}

/** An act of the clock, which means that a timeout of a request, a turn or the run expires. */
export interface ClockAct {
  readonly by: "clock"
  /** The agent whose request or turn times out. null if the whole run times out. */
  readonly agent: string | null
  readonly ends: "request" | "turn" | "run"
}

/**
 * Returns the act of a host function that returns normally without effects. The fields of `other`
 * replace these defaults.
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
 * Name of a tool that does not exist. It stands for any tool call that is irrelevant to the policy.
 */
export const otherCall = "no_such_tool"
