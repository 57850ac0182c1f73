import type { NonReducibleUnknown, PromiseActorLogic } from "xstate"
import { fromPromise } from "xstate"
import { AgentStatechartsError } from "../../../errors.js"

/** The output of an agent that a MachineAgent's machine invokes as an actor. */
export interface AgentActorOutput<Output = unknown> {
  /** Final text of the agent; null if it has none. */
  readonly text: string | null
  /** Structured output of an agent that has an output schema; otherwise the text. */
  readonly output: Output
  /** The state entries that the agent wrote. */
  readonly state: Readonly<Record<string, unknown>>
}

/**
 * Declares an agent as an actor of an XState machine, so that the types of its input and output are
 * known. A MachineAgent runs the agent itself in place of this actor.
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
