import { AgentStatechartsError } from "../../errors.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { StoredRun } from "../../runtime/index.js"
import type { EvalAnswer } from "../eval-set/eval-set.js"
import type { TurnRecord } from "../run/case-run.js"
import type { RecordedTurn } from "./recorded-turns.js"
import { recordedTurns } from "./recorded-turns.js"
import type { Redaction, Redactor } from "./redactor.js"
import { createRedactor } from "./redactor.js"

/** Options of `evalSetFromRuns`, which converts recorded runs to test cases. */
export interface EvalSetFromRunsOptions extends Redaction {
  /** Id of the created eval set. */
  readonly name: string
  /** Statuses of the runs that are included. Default: only completed runs. */
  readonly statuses?: readonly RunStatus[]
}

/** An eval set in the file format of ADK. */
export interface EvalSetFile {
  readonly eval_set_id: string
  readonly name: string
  readonly eval_cases: readonly JsonObject[]
}

/** An eval set that was created from recorded runs. */
export interface EvalSetOfRuns {
  readonly evalSet: EvalSetFile
  /** Ids of the runs that were excluded because of their status. */
  readonly leftOut: readonly string[]
}

/**
 * Converts recorded runs to an eval set with one case per run, in the order in which the runs
 * started. The results of the runs become the expected results. Makes no calls.
 *
 * @example
 * const { evalSet } = evalSetFromRuns(storedRuns, { name: "orders", redactKeys: ["card.number"] })
 * await writeFile("orders.evalset.json", JSON.stringify(evalSet, null, 2))
 *
 * @throws AgentStatechartsError `chart_invalid`, or `input_refused` for runs of task graphs
 */
export function evalSetFromRuns(
  runs: Iterable<StoredRun>,
  { name, statuses = ["completed"], ...redaction }: EvalSetFromRunsOptions,
): EvalSetOfRuns {
  const leftOut: string[] = []
  const sorted = [...runs].sort(
    ({ header: one }, { header: other }) =>
      one.at - other.at || (one.runId < other.runId ? -1 : one.runId > other.runId ? 1 : 0),
  )
  const cases = sorted.flatMap((run) => {
    refuseGraph(run)
    const { turns, status } = recordedTurns(run)
    const redactor = createRedactor(redaction)
    if (statuses.includes(status)) return [redactor.texts(caseOf(run, turns, redactor))]
    leftOut.push(run.header.runId)
    return []
  })
  return { evalSet: { eval_set_id: name, name, eval_cases: cases }, leftOut }
}

/**
 * Throws an `AgentStatechartsError` if the run executes a task graph. Such a run needs a context,
 * which an eval set cannot contain.
 */
function refuseGraph({ header: { runId, chart } }: StoredRun): void {
  if (taskGraphOf(chart) === null) return
  throw new AgentStatechartsError(
    "input_refused",
    `run "${runId}" executes the graph "${chart.id}", which has no conversation with a user. Select other runs.`,
  )
}

function caseOf(
  { header }: StoredRun,
  turns: readonly RecordedTurn[],
  redactor: Redactor,
): JsonObject {
  const { runId, chart, input } = header
  const answers = turns.map((turn) => turn.answers)
  const hasAnswers = answers.some((list: readonly EvalAnswer[]) => list.length > 0)
  const state = { ...input.session?.state, ...input.state }
  return {
    eval_id: runId,
    session_input: {
      app_name: chart.id,
      user_id: "user",
      state: redactor.fields(
        Object.fromEntries(Object.entries(state).filter(([key]) => !systemKeys.has(key))),
      ),
    },
    conversation: turns.map(({ user, record }, index) => ({
      invocation_id: `${runId}/${index}`,
      user_content: { role: "user", parts: partsOf(user) },
      ...(record.text !== null && {
        final_response: { role: "model", parts: [{ text: record.text }] },
      }),
      intermediate_data: intermediateData(record, redactor),
    })),
    ...(hasAnswers && { x_agent_statecharts: { answers: redactor.fields(answers) } }),
  }
}

const partsOf = (user: UserContent): readonly unknown[] =>
  typeof user === "string" ? [{ text: user }] : user

function intermediateData(
  { calls, toolResults, agentTexts, text }: TurnRecord,
  redactor: Redactor,
): JsonObject {
  const texts = agentTexts.filter(
    ({ kind, path }) => textAgentKinds.has(kind) && !path.includes("/tool:"),
  )
  // The last agent text that equals the text of the turn is the final response, so exclude it.
  const last = texts.findLastIndex((one) => one.text === text)
  return {
    tool_uses: calls.map(({ id, name, args }) => ({
      ...(id !== null && { id }),
      name,
      args: redactor.fields(args),
    })),
    tool_responses: toolResults.map(({ id, name, response }) => ({
      id,
      name,
      response: redactor.fields(response),
    })),
    intermediate_responses: texts
      .filter((_, index) => index !== last)
      .map((one) => [one.agent, [{ text: one.text }]]),
  }
}

/**
 * Kinds of agents that produce texts. The text of a container agent only repeats the text of an
 * agent inside the container.
 */
const textAgentKinds: ReadonlySet<string> = new Set(["LlmAgent", "CustomAgent", "MachineAgent"])
