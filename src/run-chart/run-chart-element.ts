/// <reference lib="dom" preserve="true" />
import { thrownMessage } from "../errors.js"
import { isLiveOnly } from "../machines/contract/model-event.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import { ActivityTracker } from "../serving/display/agent-activity.js"
import { describeActivity } from "./describe-activity.js"
import { agentAt, DrawnChart, highlightStyles } from "./drawn-chart.js"
import type { ChartedRun } from "./follow-events.js"
import { followRun } from "./follow-events.js"

/** The text of an SVG file, for example the result of `drawSvg(chart)`. */
export type ChartDrawing = string | Promise<string>

const styles = `
:host { display: block }
.drawing { height: 100%; overflow: auto }
.drawing > svg { display: block; height: auto; margin: auto; max-height: 100%; max-width: 100%; width: auto }
.status:not(.is-error) { clip-path: inset(50%); height: 1px; margin: -1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px }
${highlightStyles}`

/**
 * `HTMLElement`, or an empty class if there is no DOM. Because of the empty class, servers can
 * import this file.
 */
const Base = ("HTMLElement" in globalThis ? HTMLElement : class {}) as typeof HTMLElement

/**
 * The custom element `<run-chart>`. It shows the drawing of a chart and highlights the states of a
 * run. It has no attributes, so set its properties. Call {@link defineRunChart} once before you use
 * it.
 *
 * It dispatches `agent-select` with `detail.agent` after a click on an agent's state, and
 * `chart-error` with `detail.error` if the drawing or the events cannot be read.
 *
 * @example
 * defineRunChart()
 * const chart = document.createElement("run-chart")
 * chart.run = await client.start({ workflow: "travel-planner" })
 * document.body.append(chart)
 */
export class RunChartElement extends Base {
  #run: ChartedRun | null = null
  #drawing: ChartDrawing | null = null
  #events: readonly RunEvent[] | null = null
  #tracker = new ActivityTracker()
  /**
   * Identifies the last run event that is included in the drawing. Null if no event is included.
   */
  #last: Pick<RunEvent, "runId" | "seq"> | null = null
  #drawn: DrawnChart | null = null
  #box: HTMLElement | null = null
  #status: HTMLElement | null = null
  #drawingError: unknown = null
  #eventsError: unknown = null
  /**
   * Counter that identifies the latest load of a drawing. If an earlier load finishes later, its
   * drawing is ignored.
   */
  #load = 0
  #unfollow: (() => void) | null = null
  #frame = 0

  /**
   * The run to show. While this HTML element is in a document, the drawing follows the events of
   * the run.
   */
  get run(): ChartedRun | null {
    return this.#run
  }

  set run(run: ChartedRun | null | undefined) {
    if (this.#run === (run ?? null)) return
    this.#run = run ?? null
    this.#restart()
    if (this.#drawing === null) void this.#loadDrawing()
  }

  /**
   * The drawing of the run's chart, as SVG text or a promise of it. Default: the drawing that the
   * run's server returns.
   */
  get drawing(): ChartDrawing | null {
    return this.#drawing
  }

  set drawing(drawing: ChartDrawing | null | undefined) {
    if (this.#drawing === (drawing ?? null)) return
    this.#drawing = drawing ?? null
    void this.#loadDrawing()
  }

  /**
   * The events to show instead of the events of `run`. Use this property if the page already
   * follows the run. Set the property again after new events. The new list may omit the oldest
   * events of the previous list.
   */
  get events(): readonly RunEvent[] | null {
    return this.#events
  }

  set events(events: readonly RunEvent[] | null | undefined) {
    const wasFollowing = this.#events === null
    this.#events = events ?? null
    if (wasFollowing !== (this.#events === null)) this.#restart()
    else this.#applyEvents()
  }

  connectedCallback(): void {
    if (this.shadowRoot === null) this.#build()
    this.#restart()
    void this.#loadDrawing()
  }

  disconnectedCallback(): void {
    this.#load++
    this.#stop()
  }

  #build(): void {
    const root = this.attachShadow({ mode: "open" })
    const style = document.createElement("style")
    style.textContent = styles
    const box = document.createElement("div")
    // When the drawing has the focus, screen readers read its description, which lists the agents.
    for (const [name, value] of Object.entries({
      class: "drawing",
      part: "drawing",
      role: "group",
      tabindex: "0",
      "aria-label": "Statechart",
      "aria-describedby": "status",
    }))
      box.setAttribute(name, value)
    box.addEventListener("click", (event) => {
      const agent = agentAt(event.target)
      if (agent !== null) this.#dispatch("agent-select", { agent })
    })
    const status = document.createElement("p")
    status.id = "status"
    status.className = "status"
    status.setAttribute("part", "status")
    status.setAttribute("role", "status")
    root.append(style, box, status)
    this.#box = box
    this.#status = status
  }

  /**
   * Resets the drawing to the state before the first event. Then processes all events of the
   * current run or event list again.
   */
  #restart(): void {
    this.#stop()
    if (!this.isConnected) return
    this.#eventsError = null
    this.#reset()
    if (this.#events !== null) this.#applyEvents()
    else if (this.#run !== null)
      this.#unfollow = followRun(
        this.#run,
        (event) => this.#apply(event),
        (cause) => {
          this.#eventsError = cause
          this.#report(cause)
        },
      )
    this.#render()
  }

  #stop(): void {
    this.#unfollow?.()
    this.#unfollow = null
    if (this.#frame !== 0) cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }

  #reset(): void {
    this.#tracker = new ActivityTracker()
    this.#last = null
  }

  #applyEvents(): void {
    if (!this.isConnected || this.#events === null) return
    const [first, end] = [this.#events[0], this.#events.at(-1)]
    const continues =
      this.#last !== null &&
      first !== undefined &&
      end !== undefined &&
      first.runId === this.#last.runId &&
      first.seq <= this.#last.seq + 1 &&
      end.seq >= this.#last.seq
    if (!continues) this.#reset()
    const after = this.#last?.seq ?? -1
    for (const event of this.#events) if (event.seq > after) this.#apply(event)
    this.#planRender()
  }

  #apply(event: RunEvent): void {
    // Chunks of streamed text and wait events have the sequence number of another event and do not
    // change a state.
    if (isLiveOnly(event)) return
    this.#tracker.apply(event)
    this.#last = event
    this.#planRender()
  }

  /**
   * Schedules a rendering for the next animation frame, unless a rendering is already scheduled.
   */
  #planRender(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#render()
    })
  }

  #render(): void {
    const activity = this.#tracker.activity()
    this.#drawn?.highlight(activity)
    if (this.#status === null) return
    const error = this.#drawingError ?? this.#eventsError
    const text =
      error === null
        ? describeActivity(activity)
        : `The chart cannot be shown: ${thrownMessage(error)}`
    // Change the text only if it differs, because screen readers announce each change.
    if (this.#status.textContent !== text) this.#status.textContent = text
    this.#status.classList.toggle("is-error", error !== null)
  }

  async #loadDrawing(): Promise<void> {
    const load = ++this.#load
    if (!this.isConnected || this.#box === null) return
    this.#drawingError = null
    try {
      const text = await this.#drawingText()
      if (load !== this.#load || this.#box === null) return
      this.#drawn = text === null ? null : new DrawnChart(this.#box, text)
      if (text === null) this.#box.replaceChildren()
      this.#render()
    } catch (cause) {
      if (load !== this.#load) return
      this.#drawingError = cause
      this.#report(cause)
    }
  }

  async #drawingText(): Promise<string | null> {
    if (this.#drawing !== null) return this.#drawing
    return this.#run !== null && "drawing" in this.#run ? this.#run.drawing() : null
  }

  #report(error: unknown): void {
    this.#render()
    this.#dispatch("chart-error", { error })
  }

  #dispatch(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/**
 * Registers the custom element `<run-chart>` in the browser. Later calls, and calls on a server,
 * have no effect.
 */
export function defineRunChart(): void {
  if (!("customElements" in globalThis) || customElements.get("run-chart") !== undefined) return
  customElements.define("run-chart", RunChartElement)
}

declare global {
  interface HTMLElementTagNameMap {
    "run-chart": RunChartElement
  }
}
