import { AgentStatechartsError } from "../../errors.js"
import { createSuggest } from "../../machines/data/suggest.js"
import {
  llmEntryFields,
  type ResponseControls,
  scenarioFile,
  specialTool,
} from "./scenario-fields.js"

/**
 * The script of a scripted service. It contains a list of responses for the model of each agent
 * (`llm`) and for each tool, in the order of the calls.
 */
export interface Scenario {
  readonly llm: ReadonlyMap<string, readonly ScriptedResponse[]>
  readonly tools: ReadonlyMap<string, readonly ScriptedResponse[]>
  /** The scripted responses to the HTTP requests of graph nodes, by node id. */
  readonly http: ReadonlyMap<string, readonly ScriptedResponse[]>
  /**
   * Names of the tools, agents and host functions that ignore the idempotency key, so that a
   * repeated call has its effect twice. Only the command `faults` uses this list.
   */
  readonly notIdempotent: readonly string[]
}

/** A scripted response or fault, with the conditions under which it is used. */
export interface ScriptedResponse {
  readonly reply: ScriptedReply
  /** Delay in milliseconds before the response is sent. */
  readonly delayMs: number
  /**
   * Text that must be in a request, so that the response is used for it. For a model, the last user
   * message must contain the text. For a tool, the JSON text of the arguments must contain it. For
   * a graph node, the URL or the body must contain it. null if the response has no such condition.
   */
  readonly onlyFor: string | null
  /**
   * Values that the session state in a model request must have, so that the response is used for
   * it. null if the response has no such condition.
   */
  readonly onlyForState: Readonly<Record<string, unknown>> | null
  /** Whether the response is also used for all later calls. */
  readonly repeat: boolean
}

/**
 * The scripted reply to a call: a JSON or text body, an error status, a closed connection, or a
 * very large body.
 */
export type ScriptedReply =
  | {
      readonly type: "json"
      readonly value: unknown
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
    }
  | {
      readonly type: "text"
      readonly text: string
      readonly contentType: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A response with a status and headers but without a body. */
  | {
      readonly type: "empty"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
    }
  | {
      readonly type: "status"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly echoHeaders: boolean
    }
  | { readonly type: "reset" }
  | { readonly type: "huge"; readonly bytes: number }

/**
 * Parses a scenario, which contains scripted responses. A scenario is an object with the fields
 * `llm`, `tools` and `http`, which contain lists of responses by id. Unknown fields are ignored.
 * `name` is the file name for error messages.
 *
 * @throws AgentStatechartsError `scenario_invalid` with each problem and its path
 */
export function readScenario(json: unknown, name = "scenario"): Scenario {
  const parsed = scenarioFile.safeParse(json)
  if (!parsed.success)
    throw invalid(
      name,
      parsed.error.issues.map((issue) => ({ path: issue.path, message: issue.message })),
    )
  if (isWorkflowConfig(parsed.data))
    throw invalid(name, [
      { path: [], message: "the file is a workflow config and contains no scripted responses" },
    ])
  const { llm, tools, http, notIdempotent } = parsed.data
  const issues: Issue[] = []
  const read = (
    kind: "llm" | "tools" | "http",
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
    http: read("http", http, readHttpEntry),
    notIdempotent,
  }
  if (issues.length > 0) throw invalid(name, issues)
  return scenario
}

/**
 * Returns whether a file without scripted responses has the fields of a workflow config. Such a
 * file was probably passed by mistake.
 */
const isWorkflowConfig = (json: Readonly<Record<string, unknown>>): boolean =>
  Object.keys({ ...(json["llm"] as object), ...(json["tools"] as object) }).length === 0 &&
  ["rootAgentId", "root_agent_id", "agents", "agent_class", "agentClass"].some((field) =>
    Object.hasOwn(json, field),
  )

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
  const {
    delayMs = 0,
    for: onlyFor = null,
    forState: onlyForState = null,
    repeat = false,
    ...rest
  } = entry as ResponseControls
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
  if (given.length === 0 && httpStatus === undefined && Object.keys(body).length === 0)
    report("an empty entry has no response; add content, toolCalls or a fault")
  for (const field of Object.keys(body)) reportMisspelled(field, report)
  if (httpStatus === undefined && (headers !== undefined || echoHeaders !== undefined))
    report('"headers" and "echoHeaders" can only be used with "httpStatus"')
  return { reply: replyOf(rest, body), delayMs, onlyFor, onlyForState, repeat }
}

/**
 * Reports an unknown field of a scripted response that is probably a misspelled known field. Other
 * unknown fields are allowed and sent unchanged.
 */
function reportMisspelled(field: string, report: (message: string) => void): void {
  if (llmEntryFields.includes(field)) return
  const known = createSuggest()(field, llmEntryFields)
  if (known !== null)
    report(
      `the field "${field}" is unknown. Write "${known}". To send a response with this field, use {"malformed": "{...}"}`,
    )
}

function replyOf(entry: ResponseControls, body: Readonly<Record<string, unknown>>): ScriptedReply {
  const { httpStatus, headers = {}, echoHeaders = false, malformed, reset, hugeBytes } = entry
  if (reset === true) return { type: "reset" }
  if (hugeBytes !== undefined) return { type: "huge", bytes: hugeBytes }
  if (malformed !== undefined)
    return { type: "text", text: malformed, contentType: "application/json" }
  if (httpStatus !== undefined && Object.keys(body).length === 0)
    return { type: "status", status: httpStatus, headers, echoHeaders }
  return { type: "json", value: body, status: httpStatus ?? 200, headers }
}

const readToolEntry: ReadEntry = (entry, last, report) => {
  const { repeat, ...rest } = entry
  // `repeat` is data of the tool if the entry is not the last entry, or if the value is not `true`.
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
      onlyForState: null,
      repeat: repeats,
    }
  }
  if (marks.length > 1)
    report(
      `an entry must be one of ${marks.join(", ")}; write a body with such fields as {"json": {...}}`,
    )
  const { text, json, delayMs = 0, for: onlyFor = null } = special.data
  if (special.data.forState !== undefined)
    report('"forState" matches the requests of models; use "for" to match the arguments of a call')
  const common = { delayMs, onlyFor, onlyForState: null, repeat: repeats }
  if (text !== undefined)
    return {
      reply: { type: "text", text, contentType: "text/plain; charset=utf-8" },
      ...common,
    }
  if (Object.hasOwn(body, "json"))
    return {
      reply: { type: "json", value: json, status: 200, headers: {} },
      ...common,
    }
  return { reply: replyOf(special.data, {}), ...common }
}

/**
 * Parses a scripted response to a graph node. The body of the response must be in the field `json`
 * or `text`. The entry of a tool is different, because it can itself be the JSON body.
 */
const readHttpEntry: ReadEntry = (entry, last, report) => {
  const parsed = specialTool.safeParse(entry)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues)
      report(
        `${path.map(String).join("/") || "the entry"}: ${message}. Write the body as json or text`,
      )
    return {
      reply: { type: "reset" },
      delayMs: 0,
      onlyFor: null,
      onlyForState: null,
      repeat: false,
    }
  }
  const { text, json, httpStatus: status = 200, headers = {}, reset } = parsed.data
  const { delayMs = 0, for: onlyFor = null, repeat = false } = parsed.data
  const hasJson = Object.hasOwn(entry, "json")
  if (hasJson && text !== undefined) report("an entry has json or text, but not both")
  if (repeat && !last) report('"repeat" hides all later entries; move it to the last entry')
  const reply: ScriptedReply =
    reset === true
      ? { type: "reset" }
      : text !== undefined
        ? { type: "text", text, contentType: "text/plain; charset=utf-8", status, headers }
        : hasJson
          ? { type: "json", value: json, status, headers }
          : { type: "empty", status, headers }
  return { reply, delayMs, onlyFor, onlyForState: null, repeat }
}

function invalid(name: string, issues: readonly Issue[]): AgentStatechartsError {
  const lines = issues.map(({ path, message }) => `  at /${path.map(String).join("/")}: ${message}`)
  return new AgentStatechartsError(
    "scenario_invalid",
    `${name} is not a valid scenario:\n${lines.join("\n")}\nWrite a scenario as {"llm": {"agent": [{"content": "..."}]}, "tools": {"tool": [{...}]}}.`,
  )
}
