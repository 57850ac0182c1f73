import { AgentStatechartsError } from "../../errors.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { Run } from "../../runtime/run/run.js"
import type { Event } from "../events/event.js"
import type { NodePrefix } from "../context/node-runner.js"
import { EventConverter } from "./event-converter.js"

/**
 * Yields the events of a run as ADK events. Each call of `read` continues after the previous call
 * and ends when the run is idle.
 */
export class RunReader {
  readonly run: Run
  readonly #converter: EventConverter
  readonly #unread: RunEvent[] = []
  #wake: () => void = () => {}

  constructor(
    run: Run,
    isLongRunning: (tool: string) => boolean,
    hasNodes: boolean,
    prefix: NodePrefix | undefined,
  ) {
    this.run = run
    this.#converter = new EventConverter(isLongRunning, hasNodes, prefix)
    run.events$.subscribe((event) => {
      this.#unread.push(event)
      this.#wake()
    })
  }

  async *read(): AsyncGenerator<Event, RunResult, undefined> {
    let result: RunResult | null = null
    void this.run.whenSettled().then((settled) => {
      result = settled
      this.#wake()
    })
    for (;;) {
      for (const event of this.#unread.splice(0)) yield* this.#converter.convert(event)
      if (this.#unread.length > 0) continue
      if (result !== null) break
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    yield* this.#converter.flush()
    const { status } = result
    // Wait for the result of the run, because the session is stored only when the invocation has
    // ended.
    return status === "waiting" || status === "running" ? result : await this.run.result
  }

  /** Waits until the run is idle and discards all events that the reader has not returned yet. */
  async skip(): Promise<void> {
    await this.run.whenSettled()
    for (const event of this.#unread.splice(0)) this.#converter.convert(event)
    this.#converter.flush()
  }

  /**
   * Discards the events that the run has emitted so far and that the reader has not returned yet.
   */
  skipPast(): void {
    for (const event of this.#unread.splice(0)) this.#converter.convert(event)
  }

  cancel(): void {
    const { status } = this.run
    if (status === "running" || status === "waiting") this.run.cancel()
  }
}

/** Throws the error of a run that failed or reached a limit. Does nothing for other runs. */
export function throwFailure({ status, error }: RunResult): void {
  if (status !== "failed" && status !== "limit") return
  throw new AgentStatechartsError(
    error?.code ?? "internal",
    error?.message ?? `the run ended as ${status}`,
  )
}
