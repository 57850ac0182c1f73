import { refuse } from "../common/refuse.js"
import type { HostContext } from "../../runtime/host/host-function.js"
import type { NodeQuestion } from "../../machines/graph/node-result.js"
import { DynamicNodeFailError } from "./node-errors.js"
import type { ChildOutcome } from "../context/node-runner.js"
import { childRunnerOf } from "../context/node-runner.js"

export interface RunNodeOptions {
  /**
   * Id of the child run. Calls with the same id and node name run the node only once. Default: the
   * number of the call, counted from 1 for each node name.
   */
  readonly runId?: string
  /** Name under which the child node runs. Default: the node's own name. */
  readonly nodeName?: string
  /** Whether the output of the child is also the output of the calling node. */
  readonly useAsOutput?: boolean
}

/** The result of a child node that was run with `ctx.runNode`. */
export interface ChildNodeResult {
  readonly output: unknown
  readonly route?: unknown
  readonly branch?: string
  readonly interruptIds: readonly string[]
}

type Finished = Exclude<ChildOutcome, { readonly type: "waiting" }>

/**
 * Executes the `ctx.runNode` calls in one run of a node. Each child is one recorded step. If a
 * child waits for a person, the promise of its call stays pending. As soon as no other child is
 * running, the calling node ends, and asks the questions of its children.
 */
export class ChildCalls {
  readonly questions: NodeQuestion[] = []
  /**
   * Resolves when a child node waits for the answer of a person and no other child node is running.
   */
  readonly interrupted: Promise<void>
  readonly #host: HostContext
  readonly #path: string
  readonly #answers: Readonly<Record<string, unknown>>
  readonly #calls = new Map<string, Promise<ChildNodeResult>>()
  readonly #counts = new Map<string, number>()
  readonly #numbered = new Set<string>()
  #running = 0
  #interrupt: () => void = () => {}

  constructor(host: HostContext, path: string, answers: Readonly<Record<string, unknown>>) {
    this.#host = host
    this.#path = path
    this.#answers = answers
    this.interrupted = new Promise((resolve) => (this.#interrupt = resolve))
  }

  run(
    nodeLike: unknown,
    given: readonly unknown[],
    options: RunNodeOptions,
  ): Promise<ChildNodeResult> {
    const runner =
      childRunnerOf(this.#host) ??
      refuse(
        "ctx.runNode is only available in runs of a Runner or an InMemoryRunner.",
        "Use one of them, or add the node to an edge of the Workflow.",
      )
    const { nodeName, runId } = options
    const name = runner.nameOf(nodeLike, nodeName)
    const path = `${this.#path}.${name}@${this.#idOf(name, runId)}`
    const known = this.#calls.get(path)
    if (known !== undefined) return known
    const [input] = given
    const request = {
      nodeLike,
      nodeName,
      path,
      host: this.#host,
      answers: this.#answers,
      ...(input !== undefined && { input }),
    }
    const result = this.#record(path, () => runner.run(request)).then((outcome) =>
      resultOf(outcome, name, path),
    )
    this.#calls.set(path, result)
    return result
  }

  #idOf(name: string, runId: string | undefined): string {
    if (runId === undefined) {
      const next = (this.#counts.get(name) ?? 0) + 1
      if (this.#numbered.has(name)) refuse(mixed(name), "Give all runs of the node an id.")
      this.#counts.set(name, next)
      return String(next)
    }
    if (runId === "") refuse(`The runId of "${name}" is empty.`, "Pass a text, or remove it.")
    if (/^\d+$/.test(runId)) {
      if (this.#counts.has(name)) refuse(mixed(name), "Use an id that is not a number.")
      this.#numbered.add(name)
    }
    return runId
  }

  async #record(path: string, start: () => Promise<ChildOutcome>): Promise<Finished> {
    this.#running++
    try {
      return await this.#host.concurrent(path, async () => {
        const outcome = await start()
        if (outcome.type !== "waiting") return outcome
        this.questions.push(...outcome.questions)
        this.#running--
        this.#checkInterrupted()
        // After the person answers, the calling node runs again, so this promise never resolves.
        return new Promise<Finished>(() => {})
      })
    } finally {
      this.#running--
      this.#checkInterrupted()
    }
  }

  #checkInterrupted(): void {
    if (this.#running > 0 || this.questions.length === 0) return
    // Wait before interrupting: when the calling node receives a result, it may start another
    // child.
    setImmediateOrLater(() => {
      if (this.#running === 0) this.#interrupt()
    })
  }
}

/** Runs an action after 10 microtasks, so that the callbacks of settled promises run first. */
function setImmediateOrLater(action: () => void): void {
  let turns = 10
  const next = (): void => {
    if (turns-- > 0) queueMicrotask(next)
    else action()
  }
  queueMicrotask(next)
}

const mixed = (name: string): string =>
  `The runs of "${name}" have ids that are numbers and ids that are assigned automatically.`

function resultOf(outcome: Finished, name: string, path: string): ChildNodeResult {
  if (outcome.type === "failed")
    throw new DynamicNodeFailError({
      message: `Dynamic node ${name} failed: ${outcome.message}`,
      error: Object.assign(new Error(outcome.message), { name: outcome.name }),
      errorNodePath: path,
    })
  const { output, route } = outcome
  return { output, interruptIds: [], ...(route !== undefined && { route }) }
}
