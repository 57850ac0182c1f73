import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { isNodeQuestion } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { NodeQuestion } from "../../machines/graph/node-result.js"
import type { HostContext } from "../../runtime/host/host-function.js"
import type { Run } from "../../runtime/run/run.js"
import type { Runner as ChartRunner } from "../../runtime/runner/runner.js"
import type { RunnerOptions } from "../../runtime/runner/runner-options.js"
import { createRunner } from "../../runtime/runner/runner.js"
import type { Invocation, Invocations } from "../context/invocation.js"
import { currentInvocation } from "../context/invocation.js"
import { createEvent } from "../events/event.js"
import { node } from "../graphs/node.js"
import type { NodeLike } from "../graphs/node.js"
import { FunctionNode } from "../graphs/nodes.js"
import { START } from "../graphs/edges.js"
import { Workflow } from "../graphs/workflow.js"
import type { ChildOutcome, ChildRequest, ChildRunner, NodePrefix } from "../context/node-runner.js"
import { nodePathOf } from "../nodes/node-path.js"
import type { BasePlugin } from "../plugins/base-plugin.js"
import { programAround } from "../program/program.js"
import { EventConverter } from "./event-converter.js"
import type { ModelServices } from "./program-chart.js"
import { chartOf, longRunningTools, withRegistered } from "./program-chart.js"
import { withoutSystemKeys } from "./system-keys.js"

export interface ChildRunsOptions {
  readonly options: Omit<RunnerOptions, "services" | "models" | "sessions">
  readonly models: ModelServices
  readonly plugins: readonly BasePlugin[]
  readonly defaultModel: string | undefined
  readonly invocations: Invocations
}

/**
 * A compiled chart that runs one child node of `ctx.runNode`, and the runner that executes the
 * chart. The chart is a graph that passes the input of the run to the node.
 */
interface ChildProgram {
  readonly chart: AgentChart
  readonly runner: ChartRunner
  /**
   * Name of the graph, such as `shout_run`. `nodePath` is the path of the node in this graph, such
   * as `shout_run.shout`.
   */
  readonly graph: string
  readonly nodePath: string
  readonly isLongRunning: (tool: string) => boolean
}

interface ChildRun {
  readonly run: Run
  readonly program: ChildProgram
  /** The last result of the node. Null if the node has not ended yet. */
  result: { readonly output?: unknown; readonly route?: unknown } | null
  /**
   * Context of the calling node, which emits the child's events. Null while the calling node is not
   * waiting for the child.
   */
  host: HostContext | null
}

/**
 * Runs the child nodes of `ctx.runNode`. Each child is a run with its own id and journal entry. If
 * the calling node is cancelled, the child is cancelled too. If the child waits for a person, it
 * continues when the calling node runs again.
 */
export class ChildRuns implements ChildRunner {
  readonly #options: ChildRunsOptions
  readonly #programs = new WeakMap<object, Map<string, ChildProgram>>()
  /** The child runs, by the run id of the calling node and then by the path of the child. */
  readonly #runs = new Map<string, Map<string, ChildRun>>()

  constructor(given: ChildRunsOptions) {
    this.#options = given
  }

  nameOf(nodeLike: unknown, nodeName: string | undefined): string {
    // The assertion is safe: the type of `ctx.runNode` accepts only a `NodeLike`.
    const { name } = node(nodeLike as NodeLike)
    return nodeName ?? name
  }

  async run(request: ChildRequest): Promise<ChildOutcome> {
    const { host, path, answers } = request
    const child = this.#known(request) ?? (await this.#open(request))
    const { run } = child
    child.host = host
    const cancel = (): void => {
      if (run.status === "running" || run.status === "waiting") run.cancel()
    }
    host.signal.addEventListener("abort", cancel, { once: true })
    try {
      await run.whenSettled()
      answerRequests(run, path, child.program, answers)
      const settled = await run.whenSettled()
      if (settled.status === "waiting")
        return { type: "waiting", questions: questionsOf(run, path, child.program) }
      return endOf(await run.result, child, host)
    } finally {
      child.host = null
      host.signal.removeEventListener("abort", cancel)
    }
  }

  /** Removes the child runs of a run from memory. Called when the run has ended. */
  delete(runId: string): void {
    this.#runs.delete(runId)
  }

  #known({ host, path }: ChildRequest): ChildRun | undefined {
    return this.#runs.get(host.runId)?.get(path)
  }

  async #open(request: ChildRequest): Promise<ChildRun> {
    const { host, path, nodeLike, nodeName } = request
    const program = this.#programOf(nodeLike as NodeLike, nodeName)
    const runId = `${host.runId}~${path}`
    const prefix: NodePrefix = { from: program.nodePath, to: path }
    const invocation: Invocation = {
      ...currentInvocation(host),
      nodePrefix: prefix,
      nodeInput: "input" in request ? { value: request.input } : {},
    }
    this.#options.invocations.set(runId, invocation)
    const run = await this.#startOrResume(program, runId, host)
    const child: ChildRun = { run, program, result: null, host }
    this.#observe(child, prefix)
    const children = this.#runs.get(host.runId) ?? new Map<string, ChildRun>()
    this.#runs.set(host.runId, children.set(path, child))
    this.#options.invocations.deleteWhenDone(run)
    return child
  }

  /**
   * Resumes the child run if an earlier process has stored it in the journal. Otherwise, starts it.
   */
  async #startOrResume(program: ChildProgram, runId: string, host: HostContext): Promise<Run> {
    if (this.#options.options.journal !== undefined)
      try {
        return await program.runner.resume(runId)
      } catch (error) {
        if (!(error instanceof AgentStatechartsError && error.code === "run_unknown")) throw error
      }
    return program.runner.start(program.chart, { runId, prompt: "", state: host.state.toObject() })
  }

  /**
   * Emits the child's events through the context of the calling node, and stores the output of the
   * child.
   */
  #observe(child: ChildRun, prefix: NodePrefix): void {
    const { run, program } = child
    const converter = new EventConverter(program.isLongRunning, true, prefix)
    const isShown = (path: string | undefined): boolean =>
      path !== undefined && (path === prefix.to || path.startsWith(`${prefix.to}.`))
    const emit = (events: ReturnType<EventConverter["flush"]>): void => {
      for (const event of events)
        if (isShown(event.nodeInfo?.path) && event.longRunningToolIds === undefined)
          child.host?.emit("event", createEvent(event))
    }
    run.events$.subscribe((event) => {
      if (event.type === "node.finished" && nodePathOf(event.path) === program.nodePath) {
        const { output, route } = event
        child.result = {
          ...(output !== undefined && { output }),
          ...(route !== undefined && { route }),
        }
      }
      emit(converter.convert(event))
      if (event.type === "run.finished" || event.type === "invocation.finished")
        emit(converter.flush())
    })
  }

  #programOf(nodeLike: NodeLike, nodeName: string | undefined): ChildProgram {
    const byName = this.#programs.get(nodeLike) ?? new Map<string, ChildProgram>()
    this.#programs.set(nodeLike, byName)
    const inner = node(nodeLike, nodeName === undefined ? {} : { name: nodeName })
    const known = byName.get(inner.name)
    if (known !== undefined) return known
    const graph = `${inner.name}_run`
    const input = new FunctionNode(`${inner.name}_input`, (context) => {
      context.output = nodeInputOf(context.host)
    })
    const root = new Workflow({ name: graph, edges: [[START, input, inner]] })
    const { models, plugins, defaultModel, options, invocations } = this.#options
    const program = programAround(root, plugins)
    const chart = chartOf(program, root, defaultModel)
    const longRunning = longRunningTools(chart)
    const created: ChildProgram = {
      chart,
      graph,
      nodePath: `${graph}.${inner.name}`,
      isLongRunning: (tool) => longRunning.has(tool),
      runner: createRunner({
        ...options,
        services: invocations.wrapServices(program.services),
        models: withRegistered(chart, { ...models, ...program.models }),
      }),
    }
    byName.set(inner.name, created)
    return created
  }
}

/**
 * Returns the input of the child node that the current run executes. Returns undefined if the child
 * has no input.
 */
const nodeInputOf = (host: HostContext): unknown => currentInvocation(host).nodeInput?.value

/**
 * Returns the id under which the calling node asks a question of its child. An automatically
 * assigned id is unique only in the run of the child. Therefore it is replaced by an id that starts
 * with the path of the child.
 */
const exposedId = ({ id }: PendingRequest, path: string, { graph }: ChildProgram): string =>
  id.startsWith(`${graph}/`) ? `${path}${id.slice(id.lastIndexOf("#"))}` : id

function answerRequests(
  run: Run,
  path: string,
  program: ChildProgram,
  answers: Readonly<Record<string, unknown>>,
): void {
  for (const request of run.pending()) {
    const id = exposedId(request, path, program)
    if (!Object.hasOwn(answers, id)) continue
    const value = answers[id]
    // The calling node has already unwrapped the answer, so a text is the complete answer.
    if (request.kind === "input") run.say(String(value), { request: request.id })
    else
      run.answer(
        request.id,
        typeof value === "string" || !isNodeQuestion(request) ? value : { result: value },
      )
  }
}

function questionsOf(run: Run, path: string, program: ChildProgram): readonly NodeQuestion[] {
  return run.pending().map((request) => {
    if (request.kind !== "human" && request.kind !== "input")
      throw new AgentStatechartsError(
        "host_code_failed",
        `"${request.agent}" opens a request of kind ${request.kind}, which is not possible in a child of ctx.runNode; make the agent a node of the Workflow`,
      )
    return {
      id: exposedId(request, path, program),
      message: request.prompt,
      payload: detailsOf(request),
      responseSchema: request.answerSchema ?? null,
    }
  })
}

const detailsOf = ({ details }: PendingRequest): unknown =>
  typeof details === "object" && details !== null && "payload" in details ? details.payload : null

function endOf(
  { status, error, state }: RunResult,
  child: ChildRun,
  host: HostContext,
): ChildOutcome {
  if (status !== "completed")
    return {
      type: "failed",
      name: error?.code ?? "Error",
      message: error?.message ?? `the run ended as ${status}`,
    }
  const before = host.state.toObject()
  const after = withoutSystemKeys(state)
  for (const [key, value] of Object.entries(after))
    if (JSON.stringify(before[key]) !== JSON.stringify(value)) host.state.set(key, value)
  return { type: "done", ...child.result }
}
