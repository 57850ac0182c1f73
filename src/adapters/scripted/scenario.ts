import * as z from "zod"
import { AgentStatechartsError } from "../../errors.js"

/** What a scripted service answers: for each agent and each tool its answers in order. Other fields are left to others. */
export interface Scenario {
  readonly llm: ReadonlyMap<string, readonly ScriptedResponse[]>
  readonly tools: ReadonlyMap<string, readonly ScriptedResponse[]>
}

/** One answer, or one way to fail. */
export interface ScriptedResponse {
  readonly reply: ScriptedReply
  readonly delayMs: number
  /** Only for the request whose last user message contains this. */
  readonly onlyFor: string | null
  /** Serves every further call, too. */
  readonly repeat: boolean
}

export type ScriptedReply =
  | {
      readonly type: "json"
      readonly value: unknown
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly type: "text"; readonly text: string; readonly contentType: string }
  | {
      readonly type: "status"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly echoHeaders: boolean
    }
  | { readonly type: "reset" }
  | { readonly type: "huge"; readonly bytes: number }

const controls = {
  delayMs: z.number().min(0).max(600_000).optional(),
  for: z.string().min(1).optional(),
  repeat: z.boolean().optional(),
  httpStatus: z.number().int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  echoHeaders: z.boolean().optional(),
  malformed: z.string().optional(),
  reset: z.literal(true).optional(),
  hugeBytes: z.number().int().min(20).max(1_000_000_000).optional(),
}

/** What the entries do not say about themselves is the answer's body, in whatever shape: wrong answers can be scripted, too. */
const llmEntry = z.looseObject(controls)
/** As it is: a record would lose the key `__proto__`, which is data here. */
const toolEntry = z.custom<Record<string, unknown>>(
  (entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry),
  {
    error: "an entry of a tool must be an object",
  },
)
const file = z.looseObject({
  llm: z.record(z.string(), z.array(llmEntry)).default({}),
  tools: z.record(z.string(), z.array(toolEntry)).default({}),
})

type Controls = z.infer<typeof llmEntry>

/**
 * Reads a scenario: an object with `llm` and `tools`, each a list of answers by id; a conformance vector is one. Throws
 * `scenario_invalid` that names every wrong place. `name` is that of the file, for messages.
 */
export function readScenario(json: unknown, name = "scenario"): Scenario {
  const parsed = file.safeParse(json)
  if (!parsed.success)
    throw invalid(
      name,
      parsed.error.issues.map((issue) => ({ path: issue.path, message: issue.message })),
    )
  const { llm, tools } = parsed.data
  const issues: Issue[] = []
  const read = (
    kind: "llm" | "tools",
    scripts: Readonly<Record<string, readonly Record<string, unknown>[]>>,
    entryOf: ReadEntry,
  ): Scenario["llm"] =>
    new Map(
      Object.entries(scripts).map(([id, entries]) => [
        id,
        entries.map((entry, index) =>
          entryOf(entry, index === entries.length - 1, (message) =>
            issues.push({ path: [kind, id, index], message }),
          ),
        ),
      ]),
    )
  const scenario = {
    llm: read("llm", llm, readLlmEntry),
    tools: read("tools", tools, readToolEntry),
  }
  if (issues.length > 0) throw invalid(name, issues)
  return scenario
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type ReadEntry = (
  entry: Record<string, unknown>,
  last: boolean,
  report: (message: string) => void,
) => ScriptedResponse

const faults = ["malformed", "reset", "hugeBytes"] as const

const readLlmEntry: ReadEntry = (entry, last, report) => {
  const { delayMs = 0, for: onlyFor = null, repeat = false, ...rest } = entry as Controls
  const { httpStatus, headers, echoHeaders, malformed, reset, hugeBytes, ...body } = rest
  const given = [malformed, reset, hugeBytes].filter((fault) => fault !== undefined)
  if (
    given.length > 1 ||
    (given.length === 1 && (httpStatus !== undefined || Object.keys(body).length > 0))
  ) {
    report(
      "an entry must be either a response or one fault (httpStatus, malformed, reset, hugeBytes); split it into two entries",
    )
  }
  if (repeat && !last) report('"repeat" hides all later entries; move it to the last entry')
  if (given.length === 0 && httpStatus === undefined && Object.keys(body).length === 0) {
    report("an empty entry has no response; add content, toolCalls or a fault")
  }
  if (httpStatus === undefined && (headers !== undefined || echoHeaders !== undefined))
    report('"headers" and "echoHeaders" can only be used with "httpStatus"')
  return { reply: replyOf(rest, body), delayMs, onlyFor, repeat }
}

function replyOf(entry: Controls, body: Readonly<Record<string, unknown>>): ScriptedReply {
  const { httpStatus, headers = {}, echoHeaders = false, malformed, reset, hugeBytes } = entry
  if (reset === true) return { type: "reset" }
  if (hugeBytes !== undefined) return { type: "huge", bytes: hugeBytes }
  if (malformed !== undefined)
    return { type: "text", text: malformed, contentType: "application/json" }
  if (httpStatus !== undefined && Object.keys(body).length === 0)
    return { type: "status", status: httpStatus, headers, echoHeaders }
  return { type: "json", value: body, status: httpStatus ?? 200, headers }
}

/** A tool's entry is its answer, unless it consists of nothing but these fields. */
const specialTool = z.strictObject({
  ...controls,
  text: z.string().optional(),
  json: z.unknown().optional(),
})

const readToolEntry: ReadEntry = (entry, last, report) => {
  const { repeat, ...rest } = entry
  // On another entry, or with another value, it is data.
  const repeats = last && repeat === true
  const body = repeats ? rest : entry
  const special = specialTool.safeParse(body)
  const marks = ["text", "json", "httpStatus", ...faults].filter((field) =>
    Object.hasOwn(body, field),
  )
  if (
    !special.success &&
    marks.length === 1 &&
    special.error.issues.every(
      ({ path }) => path[0] === "delayMs" || path[0] === "headers" || path[0] === "echoHeaders",
    )
  ) {
    for (const { path, message } of special.error.issues)
      report(`${path.map(String).join("/")}: ${message}`)
  }
  if (!special.success || marks.length === 0) {
    return {
      reply: { type: "json", value: body, status: 200, headers: {} },
      delayMs: 0,
      onlyFor: null,
      repeat: repeats,
    }
  }
  if (marks.length > 1)
    report(
      `an entry must be one of ${marks.join(", ")}; write a body with such fields as {"json": {...}}`,
    )
  const { text, json, delayMs = 0, for: onlyFor = null } = special.data
  if (onlyFor !== null)
    report('"for" matches user messages, which are not sent to tools; remove it')
  if (text !== undefined)
    return {
      reply: { type: "text", text, contentType: "text/plain; charset=utf-8" },
      delayMs,
      onlyFor: null,
      repeat: repeats,
    }
  if (Object.hasOwn(body, "json"))
    return {
      reply: { type: "json", value: json, status: 200, headers: {} },
      delayMs,
      onlyFor: null,
      repeat: repeats,
    }
  return { reply: replyOf(special.data, {}), delayMs, onlyFor: null, repeat: repeats }
}

function invalid(name: string, issues: readonly Issue[]): AgentStatechartsError {
  const lines = issues.map(({ path, message }) => `  at /${path.map(String).join("/")}: ${message}`)
  return new AgentStatechartsError(
    "scenario_invalid",
    `${name} is not a valid scenario:\n${lines.join("\n")}\nWrite a scenario as {"llm": {"agent": [{"content": "..."}]}, "tools": {"tool": [{...}]}}.`,
  )
}
