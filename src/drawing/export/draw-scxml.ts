import { checkChart } from "../../machines/contract/check-chart.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartInvoke,
  ChartMachine,
  ChartState,
  ChartTransition,
  NamedAction,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import { ScxmlIds } from "./scxml-ids.js"

interface Writing {
  readonly chart: AgentChart
  readonly ids: ScxmlIds
  /**
   * Keys of the machines that are being written, from the outermost to the innermost. A machine in
   * this list is not written again, so a machine that invokes itself causes no infinite recursion.
   */
  readonly within: readonly string[]
  /** Keys of the machines that the SCXML document already contains. */
  readonly written: Set<string>
}

/**
 * The data for writing one machine as SCXML. `stateIds` maps the id of each state in the chart to
 * its SCXML id.
 */
interface Machine extends Writing {
  readonly stateIds: ReadonlyMap<string, string>
}

const head = [
  "Conditions and scripts call functions by their names in the chart. To run this document, define these functions",
  "in the ECMAScript data model. The calls of an agent are invoked with the type agent-statecharts.",
  "A machine that another machine invokes is nested in the machine that invokes it.",
]

/**
 * Returns a chart as an SCXML document. The document contains all states and transitions in their
 * order. Information that SCXML cannot express, such as the agent of a state, is written as
 * comments.
 *
 * @example
 * const { chart } = compile(source)
 * if (chart !== null) await writeFile("workflow.scxml", drawScxml(chart))
 */
export function drawScxml(chart: AgentChart): string {
  checkChart(chart, "drawScxml")
  const written = new Set<string>()
  const lines = writeMachine(chart.root, { chart, ids: new ScxmlIds(), within: [], written })
  const others = Object.keys(chart.machines).filter((key) => !written.has(key))
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...head.map(comment), ...others.map((key) => comment(`The machine ${key} is not in this document: it is run by a wide block, a graph or a tool.`)), ...lines].join("\n")}\n`
}

function writeMachine(key: string, writing: Writing): readonly string[] {
  const { chart, ids, within, written } = writing
  const machine = chart.machines[key]
  if (machine === undefined || within.includes(key)) return [comment(`the machine ${key} again`)]
  written.add(key)
  const inner: Machine = {
    ...writing,
    within: [...within, key],
    stateIds: nameStates(machine, ids),
  }
  const everywhere = Object.entries(machine.on ?? {})
  const states = writeStates(`#${machine.id}`, machine.states, inner)
  const initial = inner.stateIds.get(`#${machine.id}.${machine.initial}`) ?? ""
  const around = ids.next(machine.id)
  // An `scxml` element cannot contain transitions, so the transitions of the machine are written
  // into a state that contains all other states.
  const body =
    everywhere.length === 0
      ? states
      : [
          `<state${attributes({ id: around, initial })}>`,
          ...indent([
            ...everywhere.flatMap(([event, transitions]) =>
              writeTransitions(transitions, { event }, "", inner),
            ),
            ...states,
          ]),
          "</state>",
        ]
  return [
    `<scxml${attributes({ xmlns: "http://www.w3.org/2005/07/scxml", version: "1.0", datamodel: "ecmascript", name: nameToken(machine.id), initial: everywhere.length === 0 ? initial : around })}>`,
    ...indent(body),
    "</scxml>",
  ]
}

function nameStates(machine: ChartMachine, ids: ScxmlIds): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  const visit = (states: Readonly<Record<string, ChartState>>, path: string): void => {
    for (const [key, state] of Object.entries(states)) {
      named.set(`${path}.${key}`, ids.next(`${path.slice(1)}.${key}`))
      visit(state.states ?? {}, `${path}.${key}`)
    }
  }
  visit(machine.states, `#${machine.id}`)
  return named
}

const writeStates = (
  path: string,
  states: Readonly<Record<string, ChartState>>,
  machine: Machine,
): readonly string[] =>
  Object.entries(states).flatMap(([key, state]) => writeState(`${path}.${key}`, state, machine))

function writeState(path: string, state: ChartState, machine: Machine): readonly string[] {
  const id = machine.stateIds.get(path) ?? ""
  const { meta, tags = [], entry = [], exit = [] } = state
  const about = [
    meta === undefined ? "" : `${meta.kind} ${meta.agent}`,
    tags.length === 0 ? "" : `tags ${tags.join(", ")}`,
  ]
    .filter((part) => part !== "")
    .join("; ")
  const inside = [
    ...(about === "" ? [] : [comment(about)]),
    ...block("onentry", entry.map(script)),
    ...block("onexit", exit.map(script)),
    ...(state.type === "final"
      ? []
      : [
          ...writeInvoke(path, state.invoke, machine),
          ...writeTransitions(state.always, {}, path, machine),
          ...writeTransitions(state.onDone, { event: `done.state.${id}` }, path, machine),
          ...Object.entries(state.on ?? {}).flatMap(([event, transitions]) =>
            writeTransitions(transitions, { event }, path, machine),
          ),
          ...writeStates(path, state.states ?? {}, machine),
        ]),
  ]
  const name = state.type ?? "state"
  const initial =
    state.type === undefined && state.initial !== undefined
      ? machine.stateIds.get(`${path}.${state.initial}`)
      : undefined
  const open = `${name}${attributes({ id, initial })}`
  return inside.length === 0 ? [`<${open}/>`] : [`<${open}>`, ...indent(inside), `</${name}>`]
}

/**
 * Returns the SCXML element `<invoke>` of a state, and its `done.invoke` transitions. They are
 * taken when the invoked machine or call is done.
 */
function writeInvoke(
  path: string,
  invoke: ChartInvoke | undefined,
  machine: Machine,
): readonly string[] {
  if (invoke === undefined) return []
  const id = machine.ids.next(`invoke.${path.slice(1)}`)
  const params = Object.entries(invoke.input).map(
    ([name, value]) => `<param${attributes({ name: nameToken(name), expr: json(value) })}/>`,
  )
  const isMachine =
    Object.hasOwn(machine.chart.machines, invoke.src) && !machine.within.includes(invoke.src)
  const content = isMachine
    ? ["<content>", ...indent(writeMachine(invoke.src, machine)), "</content>"]
    : []
  const type = isMachine
    ? { type: "http://www.w3.org/TR/scxml/" }
    : { type: "agent-statecharts", src: `#${encodeURIComponent(invoke.src)}` }
  return [
    `<invoke${attributes({ id, ...type })}>`,
    ...indent([...params, ...content]),
    "</invoke>",
    ...writeTransitions(invoke.onDone, { event: `done.invoke.${id}` }, path, machine),
  ]
}

const writeTransitions = (
  transitions: Transitions | undefined,
  on: { readonly event?: string },
  path: string,
  machine: Machine,
): readonly string[] =>
  (transitions ?? []).flatMap((transition) => writeTransition(transition, on, path, machine))

function writeTransition(
  transition: ChartTransition,
  on: { readonly event?: string },
  path: string,
  { stateIds }: Machine,
): readonly string[] {
  const { target, guard, actions = [], reenter = false } = transition
  const known = target === undefined ? undefined : stateIds.get(target)
  const lost =
    target !== undefined && known === undefined
      ? [comment(`leads to ${target}, which is not in this chart`)]
      : []
  // Without `internal`, an SCXML transition to a descendant would exit its source state.
  const type = target?.startsWith(`${path}.`) === true && !reenter ? "internal" : undefined
  const cond = guard === undefined ? undefined : call(guard)
  const open = `transition${attributes({ ...on, cond, target: known, type })}`
  // SCXML does not allow a transition without event, condition and target.
  if (on.event === undefined && cond === undefined && known === undefined) return lost
  return [
    ...lost,
    ...(actions.length === 0
      ? [`<${open}/>`]
      : [`<${open}>`, ...indent(actions.map(script)), "</transition>"]),
  ]
}

const block = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`<${name}>`, ...indent(lines), `</${name}>`]

const script = (action: NamedAction): string => `<script>${escapeText(call(action))};</script>`

/**
 * Returns the call of a guard or action as ECMAScript source, for example `wasAnsweredByTool()`. A
 * name that is not a valid identifier, which is possible in an edited chart, is called as a
 * property of `globalThis`.
 */
function call({ type, params }: NamedAction): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(type) ? type : `globalThis[${json(type)}]`
  return `${name}(${params === undefined ? "" : json(params)})`
}

/** Returns a value as JSON. Characters that XML does not allow are escaped. */
const json = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? "")

const escapeText = (text: string): string => text.replace(/[&<>]/g, (mark) => entities[mark] ?? "")

const attributes = (given: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(given)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${escape(value)}"`))
    .join("")

/**
 * Converts a text to a valid `xsd:NMTOKEN`, the type of the XML attribute `name`. Invalid
 * characters become `_`.
 */
const nameToken = (name: string): string => name.replace(/[^\w.-]/g, "_") || "_"

/**
 * Returns an XML comment. Consecutive hyphens are separated by spaces, because an XML comment must
 * not contain `--`.
 */
const comment = (text: string): string =>
  `<!-- ${json(text)
    .slice(1, -1)
    .replace(/-(?=-)/g, "- ")} -->`

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)
