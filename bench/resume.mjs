// Measures how long it takes to resume a run of 20,000 records in a new process, as after a crash.
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { createRunner, memoryJournal } from "agent-statecharts/runtime"
import { compile } from "agent-statecharts"
import { inPlace, journals } from "./journals.mjs"
import { measure, median, printTable } from "./measure.mjs"
import { services } from "./workloads.mjs"

/** A loop of two agents, followed by a person. The resumed run waits and makes no call. */
function longRun(records) {
  const llm = (id) => ({ type: "LlmAgent", id, model: "any", outputKey: id })
  const refer = (...ids) => ids.map((agentId) => ({ agentId }))
  const { chart } = compile({
    rootAgentId: "line",
    maxModelCalls: 10_000_000,
    initialUserInput: "Begin.",
    agents: [
      { type: "SequentialAgent", id: "line", subAgents: refer("rounds", "boss") },
      {
        type: "LoopAgent",
        id: "rounds",
        subAgents: refer("writer", "critic"),
        maxAgentLoopIterations: records / 2,
      },
      llm("writer"),
      llm("critic"),
      { type: "HumanAgent", id: "boss", prompt: "Go on?" },
    ],
  })
  return chart
}

/** Runs in the child process: resumes the run and prints how long it took. */
async function resumeRun(kind, place) {
  const journal = journals[kind](place)
  const loaded = await measure(async () => (await journal.load("r")).records.length)
  const runner = createRunner({ ...services, journal })
  const { value, wall, cpu } = await measure(async () => {
    const run = await runner.resume("r")
    return (await run.whenSettled()).status
  })
  if (value !== "waiting") throw new Error(`the run is ${value}`)
  await runner.close()
  console.log(JSON.stringify({ wall, cpu, loadCpu: loaded.cpu, records: loaded.value }))
}

export async function resumeCost({ records, rounds }) {
  const memory = memoryJournal()
  const live = createRunner({ ...services, journal: memory })
  await live.start(longRun(records), { runId: "r" }).whenSettled()
  await live.close()
  const { header, records: all } = memory.load("r")
  const rows = []
  for (const kind of ["JSONL", "SQLite"]) {
    await inPlace(async (place) => {
      const journal = journals[kind](place)
      await journal.create(header)
      await Promise.all(all.map((record) => journal.append("r", record)))
      await journal.release("r")
      journal.close?.()
      const took = Array.from({ length: rounds }, () =>
        JSON.parse(
          execFileSync(process.execPath, [fileURLToPath(import.meta.url), kind, place], {
            encoding: "utf8",
          }),
        ),
      )
      const middle = (of) => median(took.map((each) => each[of]))
      rows.push([
        kind,
        took[0].records,
        middle("cpu") / 1000,
        middle("wall") / 1000,
        (middle("cpu") * 1000) / took[0].records,
        middle("loadCpu") / 1000,
      ])
    })
  }
  printTable(
    "Taking up a long run in a new process",
    ["journal", "records", "CPU s", "wall s", "CPU µs a record", "CPU s of it for reading alone"],
    rows,
  )
}

const [, program, kind, place] = process.argv
if (program === fileURLToPath(import.meta.url)) await resumeRun(kind, place)
