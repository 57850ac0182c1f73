import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Terminal } from "../terminal/terminal.js"
import { AgentTree } from "./agent-tree.js"
import type { ProgressView } from "./progress-view.js"
import { treeRows } from "./tree-rows.js"

/** Time between two redraws of the displayed agent tree, in milliseconds. */
const frameMs = 120

/**
 * Creates a progress view that shows the agents of a run as a tree and redraws it in place. New
 * lines overwrite old lines without clearing the screen, so that the screen does not flicker. While
 * the user is prompted, the last drawing stays visible above the question.
 */
export function liveTree(chart: AgentChart, terminal: Terminal): ProgressView {
  const tree = new AgentTree(chart)
  let drawn = 0
  let tick = 0
  let timer: NodeJS.Timeout | null = null
  const draw = (): void => {
    const { columns, rows } = terminal.size()
    const lines = treeRows(tree, { now: Date.now(), tick, columns, rows, paint: terminal.paint })
    terminal.redraw(lines, drawn)
    drawn = lines.length
  }
  const resume = (): void => {
    if (timer !== null) return
    terminal.showCursor(false)
    process.on("exit", showCursor)
    timer = setInterval(() => {
      tick++
      draw()
    }, frameMs)
  }
  const pause = (): void => {
    if (timer === null) return
    clearInterval(timer)
    timer = null
    draw()
    drawn = 0
    showCursor()
    process.off("exit", showCursor)
  }
  const showCursor = (): void => terminal.showCursor(true)
  return {
    show(event) {
      tree.update(event)
      if (event.type !== "run.finished") resume()
    },
    replayEvent: (event) => tree.update(event),
    pause,
    close: pause,
  }
}
