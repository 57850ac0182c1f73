import type { JsonObject } from "../../machines/data/json-object.js"
import { describeMachine } from "../../runtime/host/user-machine/describe-machine.js"
import type { MachineService } from "../../runtime/host/user-machine/machine-service.js"
import { isStateMachine } from "../../runtime/host/user-machine/machine-service.js"
import { unsupportedActor } from "../../runtime/host/user-machine/unsupported-actor.js"
import { refuse } from "../common/refuse.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

export interface MachineAgentConfig extends BaseAgentConfig {
  /**
   * The XState 5 machine. To run a sub-agent, the machine invokes an actor with the name of the
   * sub-agent.
   */
  readonly machine: MachineService["machine"]
  /**
   * The input of the machine: a function of the session state, a list of state keys, or an object
   * with a state key for each field of the input. Default: an empty object.
   */
  readonly input?:
    | ((state: Record<string, unknown>) => unknown)
    | readonly string[]
    | Readonly<Record<string, string>>
  /** State key in which the machine's output is saved. */
  readonly outputKey?: string
  /** Maximum number of sub-agent runs that the machine can start in one turn. */
  readonly maxAgentRuns?: number
}

/**
 * An agent that runs an XState machine (docs/semantics.md#machine-agents). The agents that the
 * machine invokes run like other agents. Each transition of the machine is recorded, so the machine
 * continues after a restart.
 *
 * @example
 * const checkout = new MachineAgent({ name: "checkout", machine, input: ["cart"], outputKey: "order", subAgents: [advisor] })
 * @throws AgentStatechartsError `definition_refused` if `machine` is not an XState machine, or if
 * the machine has an actor whose results cannot be recorded.
 */
export class MachineAgent extends ChartedAgent {
  readonly machine: MachineService["machine"]
  readonly input: MachineAgentConfig["input"]
  readonly outputKey: string | undefined
  readonly maxAgentRuns: number | undefined

  constructor(config: MachineAgentConfig) {
    super(config, ["machine", "input", "outputKey", "maxAgentRuns"])
    const { name, machine } = config
    if (!isStateMachine(machine))
      refuse(
        `The machine of the MachineAgent "${name}" is not an XState machine.`,
        "Pass the result of createMachine or setup(...).createMachine of XState 5.",
      )
    const problem = unsupportedActor(
      machine,
      this.subAgents.map((agent) => agent.name),
    )
    if (problem !== null)
      refuse(
        `The machine of the MachineAgent "${name}" ${problem}.`,
        "Use promises (fromPromise), machines and sub-agents, and pass them by name to setup({ actors }).",
      )
    this.machine = machine
    this.input = config.input
    this.outputKey = config.outputKey
    this.maxAgentRuns = config.maxAgentRuns
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { name, machine, input, outputKey, maxAgentRuns } = this
    const service = program.service(
      `${name}.machine`,
      typeof input === "function" ? { machine, input } : { machine },
    )
    return {
      agentClass: "MachineAgent",
      ...describeAgent(this, program),
      service,
      machine: describeMachine(machine),
      ...(input !== undefined && typeof input !== "function" && { input }),
      ...(outputKey !== undefined && { outputKey }),
      ...(maxAgentRuns !== undefined && { maxAgentRuns }),
      ...this.otherOptions,
    }
  }
}
