import { spawn } from "node:child_process"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as z from "zod"
import { jsonlJournal } from "../../adapters/journal/jsonl/index.js"
import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError } from "../../errors.js"
import type { FaultRun } from "../../faults/check/fault-run.js"
import { faultName, type Fault } from "../../faults/contract/fault.js"
import type { KilledState, StoredProcess } from "../../faults/run/observed-run.js"
import type { CallEntry } from "../../faults/environment/call-log.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { FaultsOptions } from "../options/faults-options.js"

const child = z.object({ folder: z.string(), runId: z.string() })

/** Id of a run that is killed and resumed in child processes, and the folder of its journal. */
export type KilledRun = z.infer<typeof child>

export const readKilledRun = (text: string): KilledRun => child.parse(JSON.parse(text))

/**
 * Line of a JSONL file in which child processes record a run. A line contains a call of the run, or
 * the state of the run at the time when the process was killed.
 */
type Note = CallEntry | ({ readonly type: "killed" } & Pick<KilledState, "time" | "events">)

/**
 * Executes a run in two child processes to test that it survives a killed process. The first
 * process kills itself with SIGKILL at the journal record that the fault names. The second process
 * resumes the run from its journal on disk.
 */
export async function killedInProcess(
  file: string,
  options: FaultsOptions,
  fault: Fault,
): Promise<FaultRun> {
  const folder = await mkdtemp(join(tmpdir(), "agent-statecharts-faults-"))
  const run: KilledRun = { folder, runId: randomIds.next() }
  const args = [...argumentsOf(file, options), "--only", faultName(fault)]
  try {
    const killed = await runChild([...args, "--child", JSON.stringify(run)])
    if (killed.signal !== "SIGKILL") throw failed(fault, killed)
    const resumed = await runChild([...args, "--child", JSON.stringify(run)])
    if (resumed.code !== 0) throw failed(fault, resumed)
    // The cast is safe: the child is the same program.
    return JSON.parse(resumed.stdout) as FaultRun
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Opens the journal and the call log of a run. Called in each child process that is killed or that
 * resumes the run.
 */
export async function openStoredProcess({ folder, runId }: KilledRun): Promise<StoredProcess> {
  const journal = jsonlJournal(join(folder, "runs"))
  const file = join(folder, "notes.jsonl")
  const storeEntry = (entry: Note): void => appendFileSync(file, `${JSON.stringify(entry)}\n`)
  const notes = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        // The cast is safe: `storeEntry` has written the lines.
        .map((line) => JSON.parse(line) as Note)
    : []
  const killed = notes.find((entry) => entry.type === "killed")
  if (killed !== undefined) await journal.acquire(runId)
  const stored = killed === undefined ? null : await journal.load(runId)
  return {
    killed:
      killed === undefined
        ? null
        : {
            records: stored?.records ?? [],
            entries: notes.filter((entry) => entry.type !== "killed"),
            time: killed.time,
            events: killed.events,
          },
    create: async (header) => journal.create(header),
    append: async (record) => journal.append(runId, record),
    storeEntry,
    kill(time, events) {
      storeEntry({ type: "killed", time, events })
      process.kill(process.pid, "SIGKILL")
    },
  }
}

interface EndedChild {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

function runChild(args: readonly string[]): Promise<EndedChild> {
  const main = join(thisPackage().folder, "dist/cli/main.js")
  const started = spawn(process.execPath, [main, ...args])
  let [stdout, stderr] = ["", ""]
  started.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  started.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    started.on("error", reject)
    started.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

const failed = (fault: Fault, { code, signal, stderr }: EndedChild): AgentStatechartsError =>
  new AgentStatechartsError(
    "internal",
    `the process with the fault ${faultName(fault)} ended with ${signal ?? `exit code ${code}`}: ${stderr.trim()}`,
  )

/** Returns the command-line arguments for a child process that executes the same workflow. */
function argumentsOf(file: string, options: FaultsOptions): readonly string[] {
  const values: readonly (readonly [string, string | undefined])[] = [
    ["--scripted", options.scripted],
    ["--answers", options.answers],
    ["--services", options.services],
    ["--secrets", options.secrets],
    ["--prices", options.prices],
    ["--max-response-bytes", options.maxResponseBytes?.toString()],
    ["--prompt", options.prompt],
    ["--state", options.state],
    ["--context", options.context],
    ["--dialect", options.dialect],
    ["--node", options.node],
    ["--exit-scope", options.exitScope],
    ...options.policy.map((policy) => ["--policy", policy] as const),
    ...(options.allowHost ?? []).map((host) => ["--allow-host", host] as const),
  ]
  const flags = [
    options.allowOutside === true ? ["--allow-outside"] : [],
    options.allowProcesses === true ? ["--allow-processes"] : [],
    options.allowTemplateHosts === true ? ["--allow-template-hosts"] : [],
    options.allowPrivateAddresses === true ? ["--allow-private-addresses"] : [],
  ].flat()
  return [
    "faults",
    file,
    ...flags,
    ...values.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
  ]
}
