import { Context } from "../context/context.js"
import { refuse } from "../common/refuse.js"

export type Route = string | number | boolean

const unavailable = (member: string, fix: string): never =>
  refuse(`The context of a node does not have "${member}".`, fix)

/** The context that the function of a node receives. */
export class NodeContext extends Context {
  /** The route or routes that the function selects. Set it if the outgoing edges have routes. */
  route?: Route | readonly Route[]
  /** The output of the node. It is only used if the function returns nothing. */
  output?: unknown

  /** Always 1, because nodes are not retried. If the function throws, the run fails. */
  get attemptCount(): number {
    return 1
  }

  emit(): never {
    return unavailable("emit", "Return the output. The graph shows its text.")
  }

  runNode(): never {
    return unavailable(
      "runNode",
      "Add the node to an edge of the Workflow, or run agents from a custom agent (BaseAgent).",
    )
  }

  get resumeInputs(): never {
    return unavailable("resumeInputs", "Use a HumanAgent in the graph to ask a person.")
  }

  get interruptIds(): never {
    return unavailable("interruptIds", "Use a HumanAgent in the graph to ask a person.")
  }

  get nodePath(): never {
    return unavailable("nodePath", "Use agentName, which is the name of the node.")
  }
}
