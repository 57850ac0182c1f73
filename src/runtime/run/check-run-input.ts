import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import { checkArtifact } from "../../machines/contract/artifacts.js"
import { checkGivenState } from "../../machines/containers/session-contents.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkUserContent } from "../../machines/contract/user-content.js"

interface RunArguments {
  readonly prompt?: UserContent | null | undefined
  readonly state?: Readonly<Record<string, unknown>> | undefined
  readonly artifacts?: Artifacts | undefined
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Checks that a chart accepts the input of a new run, and that the journal can store the input. A
 * task graph only accepts `context`. Other charts accept a prompt, a state and artifacts.
 *
 * @throws AgentStatechartsError `input_refused`
 */
export function checkRunInput(
  { prompt = null, state = {}, artifacts = {}, context }: RunArguments,
  chart: AgentChart,
): void {
  if (taskGraphOf(chart) !== null) {
    const refused =
      prompt !== null
        ? "a prompt"
        : Object.keys(state).length > 0
          ? "a session state"
          : Object.keys(artifacts).length > 0
            ? "artifacts"
            : null
    if (refused !== null)
      throw new AgentStatechartsError(
        "input_refused",
        `a run of a graph does not accept ${refused}. Pass the data of the run as context: { context: { ... } }.`,
      )
    if (context !== undefined) checkGivenState(context)
    return
  }
  if (context !== undefined)
    throw new AgentStatechartsError(
      "input_refused",
      "only a run of a graph accepts a context. Pass the data of this run as state: { state: { ... } }.",
    )
  if (prompt !== null) checkUserContent(prompt, "the prompt")
  checkGivenState(state)
  for (const [name, artifact] of Object.entries(artifacts)) checkArtifact(name, artifact)
}
