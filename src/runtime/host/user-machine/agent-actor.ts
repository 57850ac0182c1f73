import type { NonReducibleUnknown, PromiseActorLogic } from "xstate"
import { fromPromise } from "xstate"
import { AgentStatechartsError } from "../../../errors.js"

/** Output of an agent that the XState machine of a MachineAgent invokes as an actor. */
export interface AgentActorOutput<Output = unknown> {
  /** Final text of the agent. null if the agent has no text. */
  readonly text: string | null
  /** Structured output if the agent has an output schema. Otherwise the text of the agent. */
  readonly output: Output
  /** The session state keys that the agent has written, with their values. */
  readonly state: Readonly<Record<string, unknown>>
}

/**
 * Declares an agent as an actor of an XState machine, so that TypeScript knows the type of its
 * output. When a MachineAgent runs the machine, it runs the agent in place of this actor.
 *
 * @example
 * setup({ actors: { writer: agentActor<string>() } })
 */
export const agentActor = <Output = unknown>(): PromiseActorLogic<
  AgentActorOutput<Output>,
  NonReducibleUnknown
> =>
  fromPromise<AgentActorOutput<Output>, NonReducibleUnknown>(() => {
    throw new AgentStatechartsError(
      "argument_invalid",
      "agentActor() can only run in a machine of a MachineAgent; add the agent to its subAgents, or pass another actor to machine.provide({ actors })",
    )
  })
