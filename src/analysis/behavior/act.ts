import type { FailureClass } from "../../machines/contract/activity.js"

/**
 * One response that a run receives from a model, a tool, a host function, a person or the clock. A
 * counterexample of a policy contains a list of acts. A run that receives these responses in order
 * repeats the counterexample. Responses that are not in the list do not influence the path of the
 * run.
 */
export type Act = ModelAct | ToolAct | FunctionAct | PersonAct | ClockAct

/** A response of a model, with its tool calls and control requests. */
export interface ModelAct {
  readonly by: "model"
  readonly agent: string
  /**
   * Names of the called tools, in order. A name that is not a tool of the agent, such as
   * `no_such_tool`, represents a call that is irrelevant to the policy.
   */
  readonly calls: readonly string[]
  /**
   * The control request in the response, for example `exitFlow`, which ends the run. A response can
   * contain a control request and tool calls. null if there is no control request.
   */
  readonly asks: "exitFlow" | "escalate" | "waitForUserInput" | "hitlRequest" | null
  /**
   * The agent that receives the conversation (a handoff). null if the response does not transfer
   * the conversation.
   */
  readonly transfersTo: string | null
  readonly fails: boolean
  /**
   * Set if the model call fails and a fallback model is called next. Contains the kind of failure,
   * for example `timeout`. Otherwise absent.
   */
  readonly failure?: FailureClass
  /**
   * Set if `calls` continue the previous model response of the same agent in the list. Absent if
   * this entry is a new response.
   */
  readonly isContinued?: true
}

/**
 * The result of a tool call that another program executes. Tools that the run executes itself have
 * no `ToolAct`. For example, host functions have a `FunctionAct`, and AgentTools run an agent.
 */
export interface ToolAct {
  readonly by: "tool"
  readonly agent: string
  readonly tool: string
  readonly result: "value" | "error" | "pending"
}

/**
 * One execution of a host function (a function that you register). The execution lasts until the
 * function returns, throws or starts a sub-agent.
 */
export interface FunctionAct {
  readonly by: "function"
  readonly agent: string
  readonly service: string
  /**
   * Name of the tool to which the function belongs, for example as its implementation, callback or
   * policy engine. null if the function does not belong to a tool.
   */
  readonly tool: string | null
  /** Session state keys that the function writes. */
  readonly writes: readonly string[]
  /**
   * How the function ends. Every function can return normally (`returns`) or throw an exception
   * (`throws`). A callback can return a response in place of the agent, the model or the tool
   * (`answers`). A tool function or its callback can return an error (`fails`). A tool function can
   * also deliver its result later (`pending`). A policy engine returns its decision (`judges`), and
   * a custom agent starts a sub-agent (`runs`).
   */
  readonly ends: "returns" | "throws" | "answers" | "fails" | "pending" | "judges" | "runs"
  /**
   * The name of the sub-agent that a custom agent starts, or the route that a graph node returns.
   * For a policy engine, its decision, such as `DENY`. null if the function has no such result.
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
  /**
   * The agent whose request the person answers. null for `message` and `stop`, which do not answer
   * a request.
   */
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

/** The expiry of a timeout, which belongs to a request, a turn or the run. */
export interface ClockAct {
  readonly by: "clock"
  /** The agent whose request or turn times out. null if the whole run times out. */
  readonly agent: string | null
  readonly ends: "request" | "turn" | "run"
}

/**
 * Returns a `FunctionAct` for a host function that returns normally without effects. `other`
 * overrides any of its fields.
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
