import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { runCommandLine } from "../../src/cli/command-line.js"
import { main, mainArguments } from "./built-command.js"
import { simulatedProcess } from "../support/simulated-process.js"
import { temporaryFolder } from "../support/temporary-folder.js"

export { isBuilt, main } from "./built-command.js"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Returns the environment without color settings and without the variables that npm sets for the tests. */
const inheritedEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => name !== "NO_COLOR" && name !== "FORCE_COLOR" && !name.startsWith("npm_"),
    ),
  )

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  /** Resolves to the output so far as soon as stdout and stderr together contain a text. */
  says(text: string): Promise<string>
}

export function start(
  args: readonly string[],
  options: {
    readonly cwd?: string
    readonly env?: Readonly<Record<string, string>>
    readonly command?: string
  } = {},
): Started {
  const { command = process.execPath } = options
  const env = inheritedEnvironment(process.env)
  const child = spawn(
    command,
    command === process.execPath ? [...mainArguments, ...args] : [...args],
    {
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
    },
  )
  onTestFinished(() => void child.kill("SIGKILL"))
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  )
  const says = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if ((stdout + stderr).includes(text)) resolve(stdout + stderr)
      }
      child.stdout.on("data", look)
      child.stderr.on("data", look)
      void ended.then(() =>
        (stdout + stderr).includes(text)
          ? resolve(stdout + stderr)
          : reject(new Error(`ended without "${text}":\n${stdout}\n${stderr}`)),
      )
      look()
    })
  return { child, ended, says }
}

interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Text for stdin. A command with an input runs in its own process. */
  readonly input?: string
  /** Whether the output is a terminal. Commands in their own process do not support it. */
  readonly isScreen?: boolean
}

/** Runs the built command in its own process, and returns its output after its end. */
export async function cliProcess(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> {
  const { child, ended } = start(args, options)
  child.stdin.on("error", () => undefined)
  child.stdin.end(options.input ?? "")
  return ended
}

let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs the command, and returns its output after its end. The command runs in this process and from
 * its sources, which saves the start of a process. With an input or with `NODE_OPTIONS`, it runs in its
 * own process.
 * Commands that run at the same time wait for each other, because they share the working folder.
 */
export function cli(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  if (options.input !== undefined || options.env?.["NODE_OPTIONS"] !== undefined)
    return cliProcess(args, options)
  const ended = previous.then(() => runHere(args, options))
  previous = ended.catch(() => undefined)
  return ended
}

async function runHere(
  args: readonly string[],
  { cwd = root, env = {}, isScreen = false }: CommandOptions,
): Promise<Ended> {
  const before = { cwd: process.cwd(), env: process.env }
  process.env = { ...inheritedEnvironment(before.env), ...env }
  process.chdir(cwd)
  try {
    const { terminal, stdout, stderr } = simulatedProcess(isScreen)
    const code = await runCommandLine([process.execPath, main, ...args], terminal)
    return { code, stdout: stdout(), stderr: stderr() }
  } finally {
    process.chdir(before.cwd)
    process.env = before.env
  }
}

/** Creates a temporary folder with files, and returns its path. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder("agent-statecharts-")
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    )
  return folder
}

const agent = (id: string, more: object = {}): object => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `http://llm.test/${id}`, method: "POST" },
  ...more,
})

/** Workflows and scenarios whose runs end in every possible way. */
export const samples = {
  "pair.json": {
    rootAgentId: "pair",
    initialUserInput: "Hello?",
    agents: [
      {
        type: "SequentialAgent",
        id: "pair",
        subAgents: [{ agentId: "asker" }, { agentId: "teller" }],
      },
      agent("asker", { outputKey: "question" }),
      agent("teller", { outputKey: "reply" }),
    ],
  },
  "pair.scenario.json": { llm: { asker: [{ content: "What?" }], teller: [{ content: "That." }] } },
  "calm.scenario.json": {
    llm: { asker: [{ delayMs: 400, content: "What?" }], teller: [{ content: "That." }] },
  },
  "failing.scenario.json": {
    llm: { asker: [{ content: "What?" }], teller: [{ httpStatus: 500 }] },
  },
  "slow.scenario.json": {
    llm: { asker: [{ content: "What?" }], teller: [{ delayMs: 60_000, content: "Too late." }] },
  },
  "payment.json": {
    rootAgentId: "payer",
    globalTools: [
      { type: "HttpTool", id: "pay", httpConfig: { url: "http://tools.test/pay", method: "POST" } },
    ],
    agents: [agent("payer", { tools: ["pay"], outputKey: "report" })],
  },
  "payment.scenario.json": {
    llm: {
      payer: [
        {
          content: "May I?",
          toolCalls: [{ id: "pay-1", function_name: "pay", function_args: { amount: 5 } }],
          hitlRequest: { prompt: "Pay 5?" },
        },
        { content: "Done.", exitFlow: true },
      ],
    },
    tools: { pay: [{ paid: true }] },
  },
  "broken-pay.scenario.json": {
    llm: {
      payer: [
        {
          content: null,
          toolCalls: [{ id: "pay-1", function_name: "pay", function_args: { amount: 5 } }],
        },
        { content: "I could not pay.", exitFlow: true },
      ],
    },
    tools: { pay: [{ httpStatus: 400 }] },
  },
  "human.json": {
    rootAgentId: "line",
    agents: [
      {
        type: "SequentialAgent",
        id: "line",
        subAgents: [{ agentId: "boss" }, { agentId: "clerk" }],
      },
      { type: "HumanAgent", id: "boss", prompt: "Which city?", outputKey: "city" },
      agent("clerk"),
    ],
  },
  "human.scenario.json": { llm: { clerk: [{ content: "Noted." }] } },
  "review.json": {
    rootAgentId: "line",
    agents: [
      {
        type: "SequentialAgent",
        id: "line",
        subAgents: [{ agentId: "writer" }, { agentId: "editor" }],
      },
      agent("writer", { outputKey: "article" }),
      {
        type: "HumanAgent",
        id: "editor",
        prompt: "Publish this article?\nIt has {length?} words.",
        choices: ["publish", "do not"],
        show: ["article"],
        outputKey: "decision",
      },
    ],
  },
  "review.scenario.json": { llm: { writer: [{ content: "Tea\n\nIt is hot." }] } },
  "cycling.json": { rootAgentId: "talker", maxOrchestrationCycles: 2, agents: [agent("talker")] },
  "cycling.scenario.json": { llm: { talker: [{ content: "And another thing.", repeat: true }] } },
  "broken.json": `{
  "rootAgentId": "pipe",
  "agents": [
    { "type": "SequentialAgent", "id": "pipe", "subAgents": [{ "agentId": "critc" }] },
    { "type": "LlmAgent", "id": "critic", "httpConfig": { "url": "http://llm.test/critic", "method": "POST" }, "outputkey": "verdict" }
  ]
}
`,
}
