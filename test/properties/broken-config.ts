import * as fc from "fast-check"
import { stringify } from "yaml"
import type { Tale } from "./arbitrary-scene.js"

type Node = Record<string, unknown> | unknown[]

/** A change that damages a config. The numbers in `at` select the changed entry, level by level. */
export interface Damage {
  readonly at: readonly number[]
  readonly what: "delete" | "replace" | "duplicate" | "rename" | "copy" | "wrap" | "add"
  readonly value: unknown
  readonly key: string
  readonly from: readonly number[]
}

const words = [
  "a0",
  "a1",
  "s0",
  "main",
  "helper",
  "find",
  "LlmAgent",
  "LoopAgent",
  "ParallelAgent",
  "Workflow",
  "CustomAgent",
  "HttpTool",
  "AgentTool",
  "exit_loop",
  "transfer_to_agent",
  "START",
  "default",
  "agents",
  "subAgents",
  "sub_agents",
  "agentId",
  "agent_class",
  "type",
  "id",
  "name",
  "tools",
  "globalTools",
  "httpConfig",
  "url",
  "when",
  "edges",
  "from",
  "to",
  "route",
  "routes",
  "model",
  "config",
  "nodes",
  "outputKey",
  "loopExitCondition",
  "maxIterations",
  "failurePolicy",
  "state",
  "stateMerge",
  "budget",
  "retryPolicy",
  "plugins",
  "instruction",
  "service",
  "expiresIn",
  "maxDuration",
  "dialect",
  "context",
  "__proto__",
  "constructor",
  "toString",
  "prototype",
  "",
  " ",
  "{{ state.x }}",
  "{{",
  "5s",
  "-1s",
  "http://",
  "session_state['x'] ==",
  "x.Y",
  "\u0000",
  "\ud800",
  "é\u0301",
  "🙂",
  "a".repeat(200),
  "#",
  ".",
  "/",
  "~1",
] as const

const word = fc.constantFrom(...words)

const value: fc.Arbitrary<unknown> = fc.oneof(
  word,
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1,
    1.5,
    1e21,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    { agentId: "a0" },
    { agentId: "main" },
    [{ agentId: "a1" }, { agentId: "a1" }],
    { name: "x" },
  ),
  fc.record(
    {
      type: word,
      id: word,
      name: word,
      subAgents: fc.array(fc.record({ agentId: word }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
  fc.integer({ min: 2, max: 400 }).map((depth) => deep(depth)),
)

function deep(depth: number): unknown {
  let inner: unknown = 1
  for (let level = 0; level < depth; level++)
    inner = level % 2 === 0 ? [inner] : { subAgents: inner }
  return inner
}

export const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.array(fc.nat(60), { minLength: 1, maxLength: 7 }),
  what: fc.constantFrom(
    "delete",
    "replace",
    "replace",
    "duplicate",
    "rename",
    "copy",
    "wrap",
    "add",
  ),
  value,
  key: word,
  from: fc.array(fc.nat(60), { minLength: 1, maxLength: 7 }),
})

const isNode = (given: unknown): given is Node => typeof given === "object" && given !== null

const put = (node: Node, key: string, given: unknown): void =>
  void Object.defineProperty(node, key, {
    value: given,
    enumerable: true,
    configurable: true,
    writable: true,
  })

/** Returns the entry that the numbers select, and the object or list that contains it. */
function entryAt(
  root: Node,
  at: readonly number[],
): { readonly node: Node; readonly key: string } | null {
  let node = root
  let key: string | null = null
  for (const choice of at) {
    const inner: unknown = key === null ? node : Reflect.get(node, key)
    if (!isNode(inner)) break
    const keys = Object.keys(inner)
    if (keys.length === 0) break
    node = inner
    key = keys[choice % keys.length] ?? null
  }
  return key === null ? null : { node, key }
}

/** Returns a copy of the config with all these changes. */
export function damaged(
  config: Readonly<Record<string, unknown>>,
  damages: readonly Damage[],
): Record<string, unknown> {
  const copy = structuredClone(config) as Record<string, unknown>
  for (const { at, what, value: given, key: name, from } of damages) {
    const entry = entryAt(copy, at)
    if (entry === null) continue
    const { node, key } = entry
    const old: unknown = Reflect.get(node, key)
    switch (what) {
      case "delete":
        if (Array.isArray(node)) node.splice(Number(key), 1)
        else delete node[key]
        break
      case "replace":
        put(node, key, structuredClone(given))
        break
      case "duplicate":
        if (Array.isArray(node)) node.push(structuredClone(old))
        else put(node, `${key}_`, structuredClone(old))
        break
      case "rename":
        if (Array.isArray(node)) break
        delete node[key]
        put(node, name, old)
        break
      case "copy": {
        const other = entryAt(copy, from)
        if (other !== null) put(node, key, structuredClone(Reflect.get(other.node, other.key)))
        break
      }
      case "wrap":
        put(node, key, Number(at[0]) % 2 === 0 ? [old] : { [name]: old })
        break
      case "add":
        if (Array.isArray(node)) node.push(structuredClone(given))
        else put(node, name, structuredClone(given))
    }
  }
  return copy
}

/** A change of a text: the bytes that are inserted, and the number of bytes that are removed. */
export interface Scratch {
  readonly at: number
  readonly drop: number
  readonly bytes: Uint8Array
}

const intruders = [
  "",
  ",",
  "}",
  "]",
  "{",
  "[",
  '"',
  "'",
  ":",
  ": ",
  "\\",
  "\n",
  "\t",
  "  ",
  "- ",
  "&a ",
  "*a",
  "<<: ",
  "? ",
  "---\n",
  "...\n",
  "!!map ",
  "%YAML 9.9\n",
  "|\n",
  ">",
  "#",
  "\ufeff",
  "null",
  "1e999",
  "\\ud800",
]

export const scratch: fc.Arbitrary<Scratch> = fc.record({
  at: fc.nat(1_000_000),
  drop: fc.oneof(fc.constant(0), fc.nat(12), fc.nat(400)),
  bytes: fc.oneof(
    fc.constantFrom(...intruders).map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 4 }),
  ),
})

export function scratched(text: string, scratches: readonly Scratch[]): string {
  let bytes = new TextEncoder().encode(text)
  for (const { at, drop, bytes: put } of scratches) {
    const place = at % (bytes.length + 1)
    bytes = Uint8Array.from([...bytes.subarray(0, place), ...put, ...bytes.subarray(place + drop)])
  }
  return new TextDecoder().decode(bytes)
}

/** The possible forms of a config. */
export const forms = ["plain", "node", "graph", "inline"] as const

export function inForm(
  { config, dialect }: Tale,
  form: (typeof forms)[number],
): Readonly<Record<string, unknown>> {
  if ("nodes" in config) return { ...config, dialect }
  if (form === "node") return { type: "adk", id: "flow", config: { ...config, dialect } }
  if (form === "graph")
    return {
      nodes: [
        { id: "other", type: "http", http: { method: "GET", url: "http://other.test/" } },
        { id: "flow", type: "adk", config },
      ],
      context: { tenant: "t" },
      dialect,
    }
  return form === "inline" && dialect === "adk" ? inlined(config) : { ...config, dialect }
}

/** Whether an agent is, by its id, a node of this graph and not of a nested graph. */
const isNodeOf = (graph: unknown, { id }: Readonly<Record<string, unknown>>): boolean =>
  String(id).startsWith(`${String(graph)}_`) &&
  !String(id)
    .slice(String(graph).length + 1)
    .includes("_")

/** Returns a config in the inline form of ADK: every agent is defined where it is used. Agent tools are removed, because their agents have no place in this form. */
function inlined({
  agents,
  rootAgentId,
  globalTools,
  ...settings
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left = new Map(
    (agents as readonly Record<string, unknown>[]).map((agent) => [agent["id"], agent]),
  )
  const known = globalTools as readonly Record<string, unknown>[]
  const gone = known.filter(({ type }) => type === "AgentTool").map(({ id }) => id)
  const place = (given: Record<string, unknown>): Record<string, unknown> => {
    const { id, type, httpConfig, subAgents, tools, ...fields } = given
    const nodes =
      type === "Workflow"
        ? {
            nodes: [...left.values()].filter((other) => isNodeOf(id, other)).map(place),
          }
        : {}
    const children = (subAgents as readonly Record<string, unknown>[] | undefined)?.map((child) => {
      const found = "agentId" in child ? left.get(child["agentId"]) : child
      return found === undefined
        ? child
        : { ...place(found), ...("when" in child ? { when: child["when"] } : {}) }
    })
    return {
      agent_class: type,
      name: id,
      ...(httpConfig === undefined ? {} : { model: "large" }),
      ...fields,
      ...(tools === undefined
        ? {}
        : { tools: (tools as readonly unknown[]).filter((tool) => !gone.includes(tool)) }),
      ...nodes,
      ...(children === undefined ? {} : { sub_agents: children }),
    }
  }
  const root = left.get(rootAgentId)
  return {
    ...(root === undefined ? {} : place(root)),
    ...settings,
    globalTools: known.filter(({ id }) => !gone.includes(id)),
  }
}

export const asText = (config: unknown, isYaml: boolean): string =>
  isYaml ? stringify(config) : JSON.stringify(config, null, 1)
