/**
 * One answer that a run gets: from a model, a tool, a host function, a person or the clock. The acts
 * of a path tell which run takes the path. Answers that a path does not mention can be anything.
 */
export type Act = ModelAct | ToolAct | FunctionAct | PersonAct | ClockAct

/** The response of a model. */
export interface ModelAct {
  readonly by: "model"
  readonly agent: string
  /** Names of the called tools, in order. A name that is not a tool of the agent stands for any call that changes nothing. */
  readonly calls: readonly string[]
  /** What the response asks for besides its calls. */
  readonly asks: "exitFlow" | "escalate" | "waitForUserInput" | "hitlRequest" | null
  /** Agent to which the response hands the conversation off; null: none. */
  readonly transfersTo: string | null
  readonly fails: boolean
}

/** The result of a tool that another program answers. */
export interface ToolAct {
  readonly by: "tool"
  readonly agent: string
  readonly tool: string
  readonly result: "value" | "error" | "pending"
}

/** What a host function does until it returns, throws or runs an agent. */
export interface FunctionAct {
  readonly by: "function"
  readonly agent: string
  readonly service: string
  /** Name of the tool that the function is, answers for or judges; null: it is not about a tool. */
  readonly tool: string | null
  /** Keys that the function writes. */
  readonly writes: readonly string[]
  /**
   * How the function ends. `answers`: a callback answers in place of an agent, a model or a tool.
   * `fails`: a tool returns an error. `judges`: a policy engine decides.
   */
  readonly ends: "returns" | "throws" | "answers" | "fails" | "pending" | "judges" | "runs"
  /** The sub-agent that the function runs, its route or its decision; null: none. */
  readonly value: string | null
  readonly escalates: boolean
  readonly transfersTo: string | null
  readonly skipsSummarization: boolean
  readonly changesArguments: boolean
}

/** What a person does. */
export interface PersonAct {
  readonly by: "person"
  /** The agent that asked; null: the person acts without being asked. */
  readonly agent: string | null
  /** Name of the tool that the request is about; null: it is not about one tool. */
  readonly tool: string | null
  /** `message`: the person sends another message to an idle run. `stop`: the person cancels the run. */
  readonly does: "approve" | "reject" | "answer" | "deliver" | "message" | "stop"
}

/** Time passes until something ends. */
export interface ClockAct {
  readonly by: "clock"
  /** The agent whose request or turn ends; null: the run ends. */
  readonly agent: string | null
  readonly ends: "request" | "turn" | "run"
}

/** Returns the act of a host function that does nothing but return, with some fields changed. */
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

/** A call that changes nothing that a policy reads: the tool does not exist. */
export const otherCall = "no_such_tool"
