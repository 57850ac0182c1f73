// Flips one bit of a journal at a time and reports whether the journal detected the change.
// Usage: node flip-bits.mjs KIND SEED FROM TO
// Prints one line of JSON for each flip. If a flip crashes the process, the remaining lines are missing.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { compile } from "agent-statecharts"
import { jsonlJournal } from "agent-statecharts/adapters/journal/jsonl"
import { sqliteJournal } from "agent-statecharts/adapters/journal/sqlite"
import { createRunner } from "agent-statecharts/runtime"

const [kind, seed, from, to] = process.argv.slice(2)

const { chart } = compile({
  dialect: "adk",
  rootAgentId: "line",
  agents: [
    {
      type: "SequentialAgent",
      id: "line",
      subAgents: [{ agentId: "writer" }, { agentId: "boss" }, { agentId: "clerk" }],
    },
    { type: "LlmAgent", id: "writer", model: "muse", outputKey: "draft" },
    { type: "HumanAgent", id: "boss", prompt: "Pay 1000?" },
    { type: "LlmAgent", id: "clerk", model: "muse" },
  ],
})
const models = { muse: { call: async () => ({ content: "pay 1000 to ä€😀" }) } }
const runIds = ["waiting", "completed", "interrupted"]

/** Stores a waiting, a completed and an interrupted run. */
async function write(journal) {
  const runner = createRunner({ models, journal })
  await runner.start(chart, { runId: "waiting", prompt: "Go." }).whenSettled()
  const run = runner.start(chart, { runId: "completed", prompt: "Go." })
  await run.whenSettled()
  run.answer(run.pending()[0].id, "yes")
  await run.result
  await runner.close()
  const { header, records } = await journal.load("completed")
  await journal.create({ ...header, runId: "interrupted" })
  for (const record of records.slice(0, 2)) await journal.append("interrupted", record)
  await journal.release("interrupted")
  journal.close?.()
}

const folder = mkdtempSync(join(tmpdir(), "flips-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const place = (name) => join(folder, kind === "SQLite" ? `${name}/runs.sqlite` : name)
const open = (name, warnings) => {
  mkdirSync(join(folder, name), { recursive: true })
  const options = { onWarning: ({ message }) => warnings.push(message) }
  return kind === "SQLite"
    ? sqliteJournal(place(name), options)
    : jsonlJournal(place(name), options)
}
await write(open("whole", []))
const files = readdirSync(join(folder, "whole"))
  .filter((name) => /\.(jsonl|sqlite)$/.test(name))
  .sort()
  .map((name) => ({ name, bytes: readFileSync(join(folder, "whole", name)) }))

/** Reads everything in the journal: lists the runs, then loads and acquires each run as a resuming runner does. */
async function look(name) {
  const [seen, problems] = [{}, []]
  const failed = (error) =>
    problems.push(error?.name === "AgentStatechartsError" ? error.code : `untyped: ${error?.stack}`)
  let journal
  try {
    journal = open(name, problems)
    for (const { runId, ...run } of await journal.list()) seen[runId] = { listed: run }
  } catch (error) {
    failed(error)
  }
  for (const runId of journal === undefined ? [] : runIds) {
    try {
      const read = await journal.load(runId)
      await journal.acquire(runId)
      const taken = await journal.load(runId)
      await journal.release(runId)
      if (read === null && taken === null) problems.push("run_unknown")
      seen[runId] = { ...seen[runId], read, taken }
    } catch (error) {
      failed(error)
    }
  }
  try {
    journal?.close?.()
  } catch (error) {
    failed(error)
  }
  return { seen, problems }
}

const whole = await look("whole")
if (whole.problems.length > 0) throw new Error(whole.problems.join("\n"))

/** Returns a pseudo-random number from 0 to 1 (exclusive), computed from the seed and two other numbers. */
function random(n, salt) {
  let x = (Number(seed) * 2654435761 + n * 40503 + salt * 2246822519) >>> 0
  for (const shift of [16, 13, 16]) x = Math.imul(x ^ (x >>> shift), 0x85ebca6b) >>> 0
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32
}

for (let n = Number(from); n < Number(to); n++) {
  const { name, bytes } = files[Math.floor(random(n, 1) * files.length)]
  // Most bytes of a database are zero, so half of the flips are in bytes that are not zero.
  let at = Math.floor(random(n, 2) * bytes.length)
  if (n % 2 === 0) while (bytes[at] === 0) at = (at + 1) % bytes.length
  const bit = Math.floor(random(n, 3) * 8)
  rmSync(join(folder, "flipped"), { recursive: true, force: true })
  mkdirSync(join(folder, "flipped"))
  for (const file of files) {
    const copy = Buffer.from(file.bytes)
    if (file.name === name) copy[at] ^= 1 << bit
    writeFileSync(join(folder, "flipped", file.name), copy)
  }
  const { seen, problems } = await look("flipped")
  const outcome = problems.some((problem) => problem.startsWith("untyped"))
    ? "untyped"
    : problems.length > 0
      ? "reported"
      : isDeepStrictEqual(seen, whole.seen)
        ? "harmless"
        : "silent"
  console.log(JSON.stringify({ n, outcome, name, at, bit, problems }))
}
