/**
 * One response that a run receives: from a model, a tool, a host function, a person or the clock. A
 * run that receives the acts of a path in order follows the path. All other responses are
 * arbitrary.
 */
export type Act = ModelAct | ToolAct | FunctionAct | PersonAct | ClockAct

/** The response of a model. */
export interface ModelAct {
  readonly by: "model"
  readonly agent: string
  /**
   * Names of the called tools, in order. A name that is not a tool of the agent represents any call
   * without effects.
   */
  readonly calls: readonly string[]
  /** The control request in the response, in addition to its calls. */
  readonly asks: "exitFlow" | "escalate" | "waitForUserInput" | "hitlRequest" | null
  /**
   * Agent to which the response transfers the conversation. null: the response does not transfer
   * it.
   */
  readonly transfersTo: string | null
  readonly fails: boolean
  /** Whether the calls belong to the same response as those of the agent's last act. */
  readonly isContinued?: true
}

/** The result of a tool that runs in another program. */
export interface ToolAct {
  readonly by: "tool"
  readonly agent: string
  readonly tool: string
  readonly result: "value" | "error" | "pending"
}

/** The effects of a host function until it returns, throws or runs an agent. */
export interface FunctionAct {
  readonly by: "function"
  readonly agent: string
  readonly service: string
  /**
   * Name of the tool that the function implements, replaces or decides about. null: the function
   * does not belong to a tool.
   */
  readonly tool: string | null
  /** Keys that the function writes. */
  readonly writes: readonly string[]
  /**
   * How the function ends. `answers`: a callback returns a response that replaces the agent, model
   * or tool. `fails`: a tool returns an error. `judges`: a policy engine returns its decision.
   */
  readonly ends: "returns" | "throws" | "answers" | "fails" | "pending" | "judges" | "runs"
  /**
   * The sub-agent that the function runs, the route that it returns, or its decision. null: none of
   * these.
   */
  readonly value: string | null
  readonly escalates: boolean
  readonly transfersTo: string | null
  readonly skipsSummarization: boolean
  readonly changesArguments: boolean
}

/** An action of a person. */
export interface PersonAct {
  readonly by: "person"
  /** The agent that asked the person. null: there was no request. */
  readonly agent: string | null
  /** Name of the tool for which the request asks. null: the request does not belong to one tool. */
  readonly tool: string | null
  /** `message`: the person sends another message to an idle run. `stop`: the person cancels the run. */
  readonly does: "approve" | "reject" | "answer" | "deliver" | "message" | "stop"
}

/** A timeout. */
export interface ClockAct {
  readonly by: "clock"
  /** The agent whose request or turn times out. null: the whole run times out. */
  readonly agent: string | null
  readonly ends: "request" | "turn" | "run"
}

/** Returns the act of a host function that returns without effects, with some fields replaced. */
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

/** Name of a tool that does not exist. A call of it has no effect that a policy observes. */
export const otherCall = "no_such_tool"
