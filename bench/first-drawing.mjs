// Measures how long the studio needs to show the first drawing of a workflow.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launchBrowser } from "../test/support/launch-browser.mjs"
import { startStudio, tasksOf } from "./studio-parts.mjs"

/** Maximum time until the drawing is visible, in milliseconds. */
const limitMs = 1_000

const examples = fileURLToPath(new URL("../examples/", import.meta.url))

/**
 * Opens workflows in a new studio with a new browser, so that neither has anything in a cache.
 * Prints the times. Returns whether all drawings are fast enough.
 */
export async function firstDrawingReport({ rounds }) {
  const place = mkdtempSync(join(tmpdir(), "first-drawing-"))
  let isFast = true
  try {
    const folder = join(place, "work")
    mkdirSync(folder)
    const files = [largestExample(folder), manyAgents(folder, 300)]
    console.log("The first drawing in the studio, median:")
    for (const { name, file } of files) {
      const found = []
      for (let round = 0; round < rounds; round++) found.push(await firstDrawing(place, file))
      const median = (field) =>
        Math.round(found.map((one) => one[field]).toSorted((a, b) => a - b)[rounds >> 1])
      const cpuMs = median("pageCpuMs") + median("serverCpuMs")
      // On a busy machine, only the CPU time is comparable.
      const isKept = Math.min(median("ms"), cpuMs) <= limitMs
      isFast &&= isKept
      console.log(
        `  ${name.padEnd(36)} ${median("ms")} ms, CPU ${median("pageCpuMs")} ms in the page and ${median("serverCpuMs")} ms in the server, ${median("states")} states${isKept ? "" : "  TOO SLOW"}`,
      )
    }
  } finally {
    rmSync(place, { recursive: true })
  }
  return isFast
}

async function firstDrawing(place, file) {
  const studio = await startStudio(place)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1360, height: 850 } })
    await browser.startTracing(page, { categories: ["devtools.timeline", "toplevel"] })
    const before = cpuMsOf(studio.pid)
    await page.goto(`${studio.url}#/file/${encodeURIComponent(file)}`)
    const { ms, states } = await page.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      while (document.querySelector(".drawing [data-state]") === null) await nextFrame()
      await nextFrame()
      return {
        ms: performance.now(),
        states: document.querySelectorAll(".drawing [data-state]").length,
      }
    })
    const serverCpuMs = cpuMsOf(studio.pid) - before
    const tasks = tasksOf(JSON.parse((await browser.stopTracing()).toString()))
    return { ms, states, serverCpuMs, pageCpuMs: tasks.reduce((sum, task) => sum + task, 0) }
  } finally {
    await browser.close()
    await studio.stop()
  }
}

/** CPU time of a process so far, in milliseconds. */
function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
  const ticksPerSecond = 100
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
}

/** Copies the example with the largest drawing into the folder. */
function largestExample(folder) {
  const [name = ""] = readdirSync(examples)
    .flatMap((each) => {
      const drawing = join(examples, each, "drawing.mmd")
      return existsSync(drawing) ? [{ each, size: statSync(drawing).size }] : []
    })
    .toSorted((one, other) => other.size - one.size)
    .map(({ each }) => each)
  cpSync(join(examples, name), join(folder, name), { recursive: true })
  const file = readdirSync(join(folder, name)).find((each) => /^(workflow|root_agent)\./.test(each))
  return { name: `examples/${name}`, file: `${name}/${file}` }
}

/** Writes a workflow with blocks of ten parallel agents. */
function manyAgents(folder, count) {
  const agents = Array.from({ length: count }, (_, index) => ({
    type: "LlmAgent",
    id: `agent${index}`,
    httpConfig: { url: `http://agents.test/${index}`, method: "POST" },
  }))
  const blocks = Array.from({ length: Math.ceil(count / 10) }, (_, index) => ({
    type: "ParallelAgent",
    id: `block${index}`,
    subAgents: agents.slice(10 * index, 10 * index + 10).map(({ id }) => ({ agentId: id })),
  }))
  const root = {
    type: "SequentialAgent",
    id: "all",
    subAgents: blocks.map(({ id }) => ({ agentId: id })),
  }
  const file = `agents-${count}.json`
  writeFileSync(
    join(folder, file),
    JSON.stringify(
      { rootAgentId: "all", initialUserInput: "go", agents: [root, ...blocks, ...agents] },
      null,
      2,
    ),
  )
  return { name: `${count} agents`, file }
}
