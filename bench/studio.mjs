// Measures the page of the studio in a browser while a run emits many events.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launchBrowser } from "../test/support/launch-browser.mjs"
import { startStudio, tasksOf } from "./studio-parts.mjs"

/** What a user must never wait longer for, in milliseconds, and the frames per second. */
const limits = { framesPerSecond: 50, requestMs: 500, taskMs: 200, tabMs: 500 }

/** Number of agents that work at the same time. */
const workers = 40

/** Number of events of one iteration of a worker. */
const eventsOfIteration = 6

/** Opens a run that emits `events` events in about `seconds` seconds, and measures its page. */
async function studioLoad({ events, seconds }) {
  const place = mkdtempSync(join(tmpdir(), "studio-load-"))
  const iterations = Math.ceil(events / workers / eventsOfIteration)
  writeWorkflow(join(place, "work"), { iterations, seconds })
  const studio = await startStudio(place)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1360, height: 850 } })
    await page.addInitScript(measureInPage)
    await page.goto(`${studio.url}#/file/workflow.json`)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.locator(".run-view").waitFor()
    const runId = decodeURIComponent(new URL(page.url()).hash.split("/").pop() ?? "")
    await browser.startTracing(page, { categories: ["devtools.timeline", "toplevel"] })
    await page.evaluate(() => globalThis.measured.start())
    const tabs = []
    const stopAnswering = answerRequests(studio, runId, page)
    for (let isRunning = true; isRunning;) {
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      tabs.push(...(await page.evaluate(() => globalThis.measured.openTabs())))
      const { status } = await studio.ask(`/runs/${runId}/status`)
      isRunning = status === "running" || status === "waiting"
      if (!isRunning && status !== "completed") throw new Error(`The run has the status ${status}.`)
    }
    const measured = await page.evaluate(() => globalThis.measured.result())
    const tasks = tasksOf(JSON.parse((await browser.stopTracing()).toString()))
    await stopAnswering()
    const emitted = await studio.events(runId)
    const asked = emitted.filter(({ type }) => type === "human.asked")
    // A request may be shown twice if the list of requests is loaded while it is answered.
    const waits = asked.map(({ at }) => measured.requests.find((time) => time >= at) - at)
    return {
      events: emitted.length,
      seconds: measured.seconds,
      framesPerSecond: measured.framesPerSecond,
      slowestSecond: measured.slowestSecond,
      longestTaskMs: measured.longestTaskMs,
      longestTaskCpuMs: tasks.reduce((longest, ms) => Math.max(longest, ms), 0),
      busyShare: tasks.reduce((sum, ms) => sum + ms, 0) / 1_000 / measured.seconds,
      requests: waits.length,
      slowestRequestMs: Math.max(...waits),
      tabs: new Set(tabs.map(({ name }) => name)).size,
      slowestTab: tabs.toSorted((one, other) => other.ms - one.ms)[0],
    }
  } finally {
    await browser.close()
    await studio.stop()
    rmSync(place, { recursive: true })
  }
}

/** Prints the measurement. Returns whether the page keeps all limits. */
export async function studioReport(options) {
  const found = await studioLoad(options)
  const { framesPerSecond, slowestSecond, longestTaskMs, slowestRequestMs, slowestTab } = found
  const { longestTaskCpuMs, busyShare } = found
  const rows = [
    ["frames per second", framesPerSecond, framesPerSecond >= limits.framesPerSecond],
    ["frames in the slowest second", slowestSecond, true],
    ["longest task, ms", longestTaskMs, longestTaskMs <= limits.taskMs],
    ["longest task, CPU ms", longestTaskCpuMs, longestTaskCpuMs <= limits.taskMs],
    ["use of the main thread, %", 100 * busyShare, true],
    ["slowest request, ms", slowestRequestMs, slowestRequestMs <= limits.requestMs],
    [`slowest tab (${slowestTab.name}), ms`, slowestTab.ms, slowestTab.ms <= limits.tabMs],
  ]
  console.log(`The studio with ${found.events} events in ${Math.round(found.seconds)} s:`)
  for (const [name, value, isKept] of rows)
    console.log(`  ${name.padEnd(36)} ${Math.round(value)}${isKept ? "" : "  TOO SLOW"}`)
  return rows.every(([, , isKept]) => isKept)
}

/** Many workers in loops, and a person who is asked again and again. */
function writeWorkflow(folder, { iterations, seconds }) {
  const delayMs = Math.round((seconds * 1_000) / iterations)
  const questions = Math.max(2, Math.floor(seconds / 3))
  const agent = (id) => ({
    type: "LlmAgent",
    id,
    httpConfig: { url: `http://agents.test/${id}`, method: "POST" },
  })
  mkdirSync(folder, { recursive: true })
  const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content))
  write("workflow.json", {
    rootAgentId: "all",
    initialUserInput: "go",
    maxModelCalls: 2 * workers * iterations,
    agents: [
      {
        type: "ParallelAgent",
        id: "all",
        subAgents: [
          ...Array.from({ length: workers }, (_, index) => ({ agentId: `rounds${index}` })),
          { agentId: "reviews" },
        ],
      },
      ...Array.from({ length: workers }, (_, index) => [
        {
          type: "LoopAgent",
          id: `rounds${index}`,
          subAgents: [{ agentId: `worker${index}` }],
          maxAgentLoopIterations: iterations,
        },
        agent(`worker${index}`),
      ]).flat(),
      {
        type: "LoopAgent",
        id: "reviews",
        subAgents: [{ agentId: "writer" }, { agentId: "reviewer" }],
        maxAgentLoopIterations: questions,
      },
      agent("writer"),
      { type: "HumanAgent", id: "reviewer", prompt: "Publish?", choices: ["yes", "no"] },
    ],
  })
  const text = "The order is on its way and arrives on Tuesday. ".repeat(4)
  write("scenario.json", {
    llm: Object.fromEntries([
      ...Array.from({ length: workers }, (_, index) => [
        `worker${index}`,
        [{ content: text, delayMs: delayMs + index, repeat: true }],
      ]),
      ["writer", [{ content: "A draft.", delayMs: 2_000, repeat: true }]],
    ]),
  })
}

/** Answers each request half a second after the page has shown it. */
function answerRequests(studio, runId, page) {
  let isStopped = false
  const answering = (async () => {
    for (let answered = 0; !isStopped;) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      const shown = await page.evaluate(() => globalThis.measured.requests())
      if (shown === answered) continue
      const { pending } = await studio.ask(`/runs/${runId}/status`)
      for (const { id } of pending)
        await studio.ask(`/runs/${runId}/messages`, { type: "answer", id, value: "yes" })
      answered = shown
    }
  })()
  return async () => {
    isStopped = true
    await answering
  }
}

/** Runs in the page: measures frames, tasks, requests and tabs. */
function measureInPage() {
  let startedAt = 0
  const frames = []
  const requests = []
  let longestTaskMs = 0
  const now = () => performance.timeOrigin + performance.now()
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const countFrames = () => {
    frames.push(now())
    requestAnimationFrame(countFrames)
  }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (startedAt > 0 && performance.timeOrigin + startTime >= startedAt)
        longestTaskMs = Math.max(longestTaskMs, duration)
  }).observe({ type: "longtask" })
  const observeRequests = () => {
    let isShown = false
    new MutationObserver(() => {
      const before = isShown
      isShown = document.querySelector(".pending form") !== null
      if (isShown && !before) requests.push(now())
    }).observe(document.body, { childList: true, subtree: true })
  }
  globalThis.measured = {
    start() {
      startedAt = now()
      observeRequests()
      requestAnimationFrame(countFrames)
    },
    requests: () => requests.length,
    /** Opens each tab and returns the time until its content is painted. */
    async openTabs() {
      const opened = []
      for (const tab of document.querySelectorAll('.run-view [role="tab"]')) {
        if (tab.getAttribute("aria-selected") === "true") continue
        const from = performance.now()
        tab.click()
        await nextFrame()
        await nextFrame()
        const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "")
        while ((panel?.childElementCount ?? 1) === 0) await nextFrame()
        opened.push({ name: tab.textContent ?? "", ms: performance.now() - from })
      }
      return opened
    },
    result() {
      const endedAt = now()
      const seconds = (endedAt - startedAt) / 1_000
      const perSecond = Array.from(
        { length: Math.floor(seconds) },
        (_, second) =>
          frames.filter((time) => Math.floor((time - startedAt) / 1_000) === second).length,
      )
      return {
        seconds,
        framesPerSecond: frames.length / seconds,
        slowestSecond: Math.min(...perSecond),
        longestTaskMs,
        requests,
      }
    },
  }
}
