import { isDeepStrictEqual } from "node:util"

/** The fields of an ADK event that headers name. */
export function briefEvent(event) {
  const parts = event.content?.parts ?? []
  const text = parts.map((part) => part.text ?? "").join("")
  const calls = parts.flatMap(({ functionCall }) => functionCall?.name ?? [])
  const responses = parts.flatMap(({ functionResponse }) => functionResponse?.response ?? [])
  const { stateDelta = {}, escalate } = event.actions ?? {}
  return {
    author: event.author,
    ...(text !== "" && { text }),
    ...(calls.length > 0 && { calls }),
    ...(responses.length > 0 && { responses }),
    ...(event.output !== undefined && { output: event.output }),
    ...(event.route !== undefined && { route: event.route }),
    ...(event.nodeInfo?.path && { path: event.nodeInfo.path }),
    ...(event.errorCode && { error: `${event.errorCode}: ${event.errorMessage ?? ""}` }),
    ...(escalate === true && { escalate }),
    ...(Object.keys(stateDelta).length > 0 && { state: stateDelta }),
  }
}

/** Returns how a played program differs from the `expect` of its header. */
export function compareProgram(expect, played) {
  const problems = [...(played.problems ?? [])]
  const check = (name, ok, actual) => {
    if (!ok)
      problems.push(
        `${name}: ${JSON.stringify(expect[name.split(" ")[0]])} expected, but it is ${JSON.stringify(actual)}`,
      )
  }
  for (const name of Object.keys(expect))
    if (!known.includes(name)) problems.push(`the header has the unknown field "${name}"`)
  if ("main" in expect) check("main", isDeepStrictEqual(expect.main, played.main), played.main)
  if ("status" in expect)
    check("status", expect.status === played.status, [played.status, played.error])
  if ("errorContains" in expect)
    check(
      "errorContains",
      expect.errorContains.every((text) => (played.error ?? "").includes(text)),
      played.error,
    )
  if ("statusBeforeInputs" in expect)
    check(
      "statusBeforeInputs",
      isDeepStrictEqual(expect.statusBeforeInputs, played.statusBeforeInputs),
      played.statusBeforeInputs,
    )
  if ("finalText" in expect) {
    const final = played.events.findLast(({ text }) => text !== undefined)?.text
    check("finalText", expect.finalText === final, final)
  }
  if ("output" in expect)
    check("output", isDeepStrictEqual(expect.output, played.output), played.output)
  if ("state" in expect) check("state", isSubset(expect.state, played.state), played.state)
  for (const key of expect.stateNot ?? [])
    check(`stateNot ${key}`, !(key in played.state), played.state)
  compareEvents(expect, played.events ?? [], check)
  compareModelCalls(expect, played.script.script, check)
  for (const [index, wanted] of (expect.pending ?? []).entries())
    check("pending", isPending(wanted, played.pending[index] ?? []), played.pending[index])
  for (const [name, wanted] of Object.entries(expect.exports ?? {})) {
    const actual = JSON.parse(JSON.stringify(played.module[name] ?? null))
    check(`exports ${name}`, isDeepStrictEqual(wanted, actual), actual)
  }
  const left = played.script.script.left()
  if (left.length > 0) problems.push(`the script has unused answers for ${left.join(", ")}`)
  return problems
}

const known = [
  "main",
  "status",
  "errorContains",
  "statusBeforeInputs",
  "finalText",
  "output",
  "state",
  "stateNot",
  "events",
  "eventsContain",
  "eventsNot",
  "llmCalls",
  "maxConcurrentLlmCalls",
  "requests",
  "pending",
  "exports",
]

function compareEvents(expect, events, check) {
  const wanted = expect.events ?? []
  let found = 0
  for (const event of events) if (found < wanted.length && fits(wanted[found], event)) found++
  check(`events [${found}]`, found === wanted.length, events)
  for (const one of expect.eventsContain ?? [])
    check(
      "eventsContain",
      events.some((event) => fits(one, event)),
      events,
    )
  for (const one of expect.eventsNot ?? [])
    check("eventsNot", !events.some((event) => fits(one, event)), events)
}

const fits = (wanted, event) =>
  Object.entries(wanted).every(([field, value]) => {
    if (field === "state") return isSubset(value, event.state ?? {})
    if (field === "responses") return isSubset(value, event.responses ?? [])
    if (field === "errorContains") return value.every((text) => (event.error ?? "").includes(text))
    return isDeepStrictEqual(value, event[field])
  })

function compareModelCalls(expect, { requests, mostActive }, check) {
  if (expect.llmCalls !== undefined) {
    const calls = requests.map(({ agent }) => agent)
    const rest = [...calls]
    const isExpected = expect.llmCalls.every((wanted) => {
      if (typeof wanted === "string") return rest.shift() === wanted
      return isDeepStrictEqual(
        rest.splice(0, wanted.unordered.length).sort(),
        [...wanted.unordered].sort(),
      )
    })
    check("llmCalls", isExpected && rest.length === 0, calls)
  }
  const { atLeast = 0, atMost = Infinity } = expect.maxConcurrentLlmCalls ?? {}
  check("maxConcurrentLlmCalls", mostActive >= atLeast && mostActive <= atMost, mostActive)
  for (const wanted of expect.requests ?? []) {
    const request = requests.filter(({ agent }) => agent === wanted.agent)[wanted.nth]
    if (request === undefined)
      check("requests", false, `no request ${wanted.nth} of ${wanted.agent}`)
    else compareRequest(wanted, request, check)
  }
}

function compareRequest(wanted, { messages, tools, model }, check) {
  const system = messages
    .filter(({ role }) => role === "system")
    .map(({ content }) => content)
    .join("\n")
  const contents = messages.filter(({ role }) => role !== "system")
  const all = JSON.stringify(contents)
  const inAll = (text) => all.includes(JSON.stringify(text).slice(1, -1))
  const names = tools.map((tool) => tool.function.name)
  const require = (field, ok, actual) =>
    check(`requests ${wanted.agent}[${wanted.nth}].${field}`, ok, actual)
  if (wanted.tools)
    require("tools", isDeepStrictEqual([...wanted.tools].sort(), [...names].sort()), names)
  for (const text of wanted.systemContains ?? [])
    require("systemContains", system.includes(text), system)
  for (const text of wanted.systemNotContains ?? [])
    require("systemNotContains", !system.includes(text), system)
  for (const text of wanted.messagesContain ?? []) require("messagesContain", inAll(text), all)
  for (const text of wanted.messagesNotContain ?? [])
    require("messagesNotContain", !inAll(text), all)
  if ("lastText" in wanted)
    require("lastText", wanted.lastText === textOf(contents.at(-1)), contents)
  if ("messageCount" in wanted)
    require("messageCount", wanted.messageCount === contents.length, contents)
  if ("model" in wanted) require("model", wanted.model === model, model)
}

const textOf = (message) =>
  typeof message?.content === "string"
    ? message.content
    : (message?.content ?? []).map((part) => part.text ?? "").join("")

const isPending = (wanted, open) =>
  wanted.length === open.length &&
  wanted.every((one, index) => {
    const {
      interruptId: id,
      message = null,
      payload = null,
      responseSchema,
      kind,
      toolName: tool,
    } = open[index]
    const actual = { id, message, payload, schemaRequires: responseSchema?.required, kind, tool }
    return Object.entries(one).every(([field, value]) => isDeepStrictEqual(value, actual[field]))
  })

function isSubset(wanted, actual) {
  if (wanted === null || typeof wanted !== "object") return isDeepStrictEqual(wanted, actual)
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) &&
      wanted.length === actual.length &&
      wanted.every((one, index) => isSubset(one, actual[index]))
    )
  return (
    actual !== null &&
    typeof actual === "object" &&
    Object.keys(wanted).every((key) => isSubset(wanted[key], actual[key]))
  )
}
