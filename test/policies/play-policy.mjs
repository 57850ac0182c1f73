import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Plays a violated policy twice: with the printed command of the counterexample, and with the play
 * of the vector. `command` executes a command of the package. Returns the failures as texts.
 */
export async function playPolicy(wanted, result, vector, command) {
  const { workflow, found } = vector
  const failures = []
  const words = wordsOf(result.counterexample.command ?? "")
  if (words[0] !== "agent-statecharts" || words[1] !== "run")
    return [`the command is "${result.counterexample.command}"`]
  const requests = join(found, `${result.name}.cassette.json`)
  const own = await eventsOf(words.slice(1), requests, command)
  const { seen } = result.counterexample
  if (own.events.find(({ seq }) => seq === seen?.seq)?.type !== seen?.type)
    failures.push(`the run does not show ${JSON.stringify(seen)}`)
  const facts = (wanted.facts ?? []).map(withoutOwnValues)
  failures.push(...compareFacts("the counterexample", { ...wanted, facts }, own))
  if (wanted.play !== undefined) {
    const args = writePlay(wanted.play, result.name, vector)
    const cassette = join(found, `${result.name}.play.cassette.json`)
    const played = await eventsOf(["run", workflow, ...args], cassette, command)
    failures.push(...compareFacts("the play of the vector", wanted, played))
  }
  if (wanted.enforced !== undefined)
    failures.push(...(await playEnforced(wanted, result.name, vector, command)))
  return failures
}

/**
 * Plays the run of a violated policy with `--enforce`. Returns the failures as texts. The facts occur
 * in order, and none of `without` occurs anywhere.
 */
export async function playEnforced({ play, enforced }, name, vector, command) {
  const { workflow, folder, found } = vector
  const args = writePlay(play, `${name}.enforced`, vector)
  const policy = ["--policy", join(folder, "policy.yaml"), "--enforce"]
  const cassette = join(found, `${name}.enforced.cassette.json`)
  const played = await eventsOf(["run", workflow, ...args, ...policy], cassette, command)
  const { facts, without = [], exitCode } = enforced
  const failures = [...compareFacts("the enforced run", { facts }, played)]
  for (const fact of without)
    if (played.events.some((event) => contains(event, fact)))
      failures.push(`the enforced run contains ${JSON.stringify(fact)}`)
  if (exitCode !== undefined && played.code !== exitCode)
    failures.push(`the enforced run ends with code ${played.code} instead of ${exitCode}`)
  return failures
}

function writePlay({ scenario, answers, state, prompt, services, prices }, name, vector) {
  const { workflow, folder, found } = vector
  const place = join(found, `${name}.play`)
  mkdirSync(place, { recursive: true })
  const write = (file, value) => {
    writeFileSync(join(place, file), typeof value === "string" ? value : JSON.stringify(value))
    return join(place, file)
  }
  // Each play needs its own module, because functions can count their calls.
  const source =
    services === undefined
      ? modelsWithSignals(workflow)
      : readFileSync(join(folder, services), "utf8")
  return [
    "--scripted",
    write("scenario.json", scenario),
    ...(answers === undefined ? [] : ["--answers", write("answers.json", answers)]),
    ...(state === undefined ? [] : ["--state", `@${write("state.json", state)}`]),
    ...(prices === undefined ? [] : ["--prices", write("prices.json", prices)]),
    ...(prompt === undefined ? [] : ["--prompt", prompt]),
    "--services",
    write("services.mjs", source),
  ]
}

/** The stubs of a counterexample choose other values than the functions of the vector. */
function withoutOwnValues(fact) {
  if (typeof fact.arguments === "object") return { ...fact, arguments: {} }
  if (fact.set === undefined) return fact
  const isMarked = (value) => typeof value === "string" && value.startsWith("$contains:")
  const set = Object.entries(fact.set).map(([key, value]) => [key, isMarked(value) ? value : {}])
  return { ...fact, set: Object.fromEntries(set) }
}

/** A model by name sends signals only if its service declares them. The scenario contains its responses. */
function modelsWithSignals(workflow) {
  const names = new Set()
  if (existsSync(workflow) && workflow.endsWith(".json"))
    JSON.parse(readFileSync(workflow, "utf8"), (key, value) => {
      if (key === "model" && typeof value === "string") names.add(value)
      return value
    })
  return `export const models = Object.fromEntries(
  ${JSON.stringify([...names])}.map((name) => [name, { signals: true, call: () => null }]),
)
`
}

async function eventsOf(args, cassette, command) {
  const { code, stdout } = await command([...args, "--json", "--no-journal", "--record", cassette])
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
  const requests = existsSync(cassette) ? JSON.parse(readFileSync(cassette, "utf8")).entries : []
  return { code, events, requests }
}

/** The facts occur in order, and none of `without` occurs before the last one. */
function compareFacts(what, { facts = [], without = [] }, { events, requests }) {
  let next = 0
  let last = -1
  const ofEvents = facts.filter((fact) => fact.type !== undefined)
  for (const [index, event] of events.entries()) {
    if (next >= ofEvents.length) break
    if (!contains(event, ofEvents[next])) continue
    next++
    last = index
  }
  const failures = ofEvents
    .slice(next, next + 1)
    .map((fact) => `${what} lacks ${JSON.stringify(fact)}`)
  for (const { request } of facts.filter((fact) => fact.type === undefined))
    if (!requests.some((entry) => isRequest(entry, request)))
      failures.push(`${what} has no request ${JSON.stringify(request)}`)
  if (next === ofEvents.length)
    for (const fact of without)
      if (events.slice(0, last + 1).some((event) => contains(event, fact)))
        failures.push(`${what} contains ${JSON.stringify(fact)}`)
  return failures
}

function isRequest(entry, { agent, tool, contains: text }) {
  const isOwn =
    agent === undefined
      ? entry.kind === "tool" && entry.of === tool
      : entry.kind === "model" && entry.agent === agent
  return isOwn && JSON.stringify(entry.request).includes(text)
}

function contains(value, part) {
  if (typeof part === "string" && part.startsWith("$contains:"))
    return JSON.stringify(value ?? null).includes(part.slice("$contains:".length))
  if (typeof part !== "object" || part === null) return value === part
  // An empty object matches any value.
  if (Object.keys(part).length === 0) return value !== undefined
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(part).every(([key, inner]) => contains(value[key], inner))
  )
}

/** Splits a command at its spaces. Words in single quotes can contain spaces. */
const wordsOf = (text) =>
  [...text.matchAll(/(?:[^\s']|'[^']*')+/gu)].map(([word]) => word.replaceAll("'", ""))
