import { openRequest } from "./facts.mjs"
import { graphExpectations } from "./graph.mjs"
import { differences, disguises, isInOrder, isPaired } from "./matchers.mjs"

const show = (value) => JSON.stringify(value)
const unless = (fits, at, wanted, came) =>
  fits ? [] : [`${at}: expected ${show(wanted)}, came ${show(came)}`]
/** Comparisons: functions of (expected value, actual value, path, binds) that return the differences as lines. */
const is = (wanted, came, at, binds) => differences(wanted, came, at, { binds })
const has = (wanted, came, at, binds) => differences(wanted, came, at, { binds, subset: true })
const by = (matcher) => (wanted, came, at) => differences({ [matcher]: wanted }, came, at)
const [containsAll, containsAllI, containsNone] = [
  by("$containsAll"),
  by("$containsAllI"),
  by("$containsNone"),
]
const holds = (wanted, came, at, binds) =>
  unless(isPaired(wanted, came, { binds }), at, wanted, came)
const isSet = (wanted, came, at, binds) =>
  unless(wanted.length === came.length && isPaired(wanted, came, { binds }), at, wanted, came)
const isUnknown = (wanted, _, at) => [
  `${at}: the harness does not know this field, which is to be ${show(wanted)}`,
]
const isWithin = ([least, most], came, at) =>
  unless(came >= least && came <= most, at, [least, most], came)
/** These keys of a state are compared only if the vector contains them. */
const counters = [
  "_user_message_count",
  "orchestration_cycle_count",
  "current_agent_loop_iteration",
]
const counted = (state, { state: wanted, stateMode, stateStrict }) =>
  Object.fromEntries(
    Object.entries(state ?? {}).filter(
      ([key]) =>
        Object.hasOwn(wanted, key) ||
        (stateMode !== "subset" && (stateStrict || !counters.includes(key))),
    ),
  )

const textOf = ({ content }) =>
  typeof content === "string" ? content : content.map((part) => part.text ?? "").join("")
const texts =
  (isSystem) =>
  ({ body }) =>
    body.messages
      .filter(({ role }) => (role === "system") === isSystem)
      .map(textOf)
      .join("\n")
const [system, conversation] = [texts(true), texts(false)]
const strings = (value) =>
  typeof value === "string"
    ? value
    : Object.entries(value ?? {})
        .flat()
        .map(strings)
        .join("\n")
const toolNames = ({ body }) => body.tools.map((tool) => tool.function.name)
const transfer = ({ body }) =>
  body.tools.find((tool) => tool.function.name === "transfer_to_agent")?.function.parameters
    .properties
const toolParts = ({ body }) =>
  body.messages
    .flatMap(({ content }) => content)
    .filter((part) => part.function_call || part.function_response)
/** The fields of an expected request: a comparison, and a function of (request, expected fields) that returns the actual value. */
const ofRequest = {
  url: [is, ({ url }) => url],
  method: [is, ({ method }) => method],
  model: [is, ({ model }) => model],
  headers: [has, ({ headers }) => headers],
  query: [has, ({ query }) => query],
  body: [has, ({ body }) => body],
  messages: [is, ({ body }) => body.messages],
  lastMessages: [is, ({ body }, { lastMessages }) => body.messages.slice(-lastMessages.length)],
  messagesContain: [containsAll, conversation],
  messagesContainI: [containsAllI, conversation],
  messagesNotContain: [containsNone, conversation],
  messagesJsonContain: [containsAll, ({ body }) => show(body.messages)],
  systemContains: [containsAll, system],
  systemNotContains: [containsNone, system],
  toldContains: [containsAll, (request) => `${system(request)}\n${strings(request.body.tools)}`],
  tools: [isSet, toolNames],
  toolsInclude: [holds, toolNames],
  toolDefinitions: [isSet, ({ body }) => body.tools],
  toolsExclude: [
    (wanted, came, at) => unless(!wanted.some((name) => came.includes(name)), at, wanted, came),
    toolNames,
  ],
  transferTargets: [isSet, (request) => transfer(request)?.agent_name.enum ?? []],
  state: [is, ({ body }, wanted) => counted(body.state, wanted)],
  noToolParts: [(_, came, at) => is([], came, at), toolParts],
}

const requestsDiffer = (expected, { requests }, at, binds) =>
  expected.flatMap((all) => {
    const { agent, tool = agent, nth, forState, for: words, ...others } = all
    const { stateMode: _mode, stateStrict: _strict, ...fields } = others
    const called = requests.filter(
      (one) => one.kind === (agent ? "llm" : "tool") && one.id === tool,
    )
    const selected = called.filter(
      ({ body, args }) =>
        (!forState || isPaired([forState], [body.state], { subset: true })) &&
        (!words || show(args).includes(words)),
    )
    const request = forState || words ? selected[nth ?? 0] : called.find((one) => one.nth === nth)
    const differs = (
      [field, wanted],
      [relation, extract] = ofRequest[field] ?? [isUnknown, () => null],
    ) =>
      relation(
        wanted,
        extract(request, all),
        `${at} ${tool}#${nth ?? show(forState ?? words)} ${field}`,
        binds,
      )
    return request
      ? Object.entries(fields).flatMap((one) => differs(one))
      : [`${at}: ${tool}#${nth ?? show(forState ?? words)} was never made`]
  })
const asked = ({ promptContains, ...rest }) =>
  promptContains ? { ...rest, prompt: { $containsAll: [promptContains].flat() } } : rest
const pendingDiffers = (wanted, came, at, binds) =>
  unless(
    wanted.length === came.length &&
      isPaired(wanted.map(asked), came.map(openRequest), { subset: true, binds }),
    at,
    wanted,
    came,
  )
const factFields =
  "kind agent branch from to contains completedSubAgents tool text callId count node state reason successes failures cancelled".split(
    " ",
  )
function isFact({ contains, ...wanted }, fact, binds) {
  if (!Object.keys(wanted).every((key) => factFields.includes(key)))
    throw new Error(`the harness does not know every field of ${show(wanted)}`)
  return isPaired([contains ? { ...wanted, says: { $containsAll: contains } } : wanted], [fact], {
    subset: true,
    binds,
  })
}
/** Returns the tool calls that reached a service. All attempts of a call count as one. */
const callsMade = ({ requests }) =>
  requests
    .filter(({ kind }) => kind === "tool")
    .filter(({ key }, index, all) => all.findIndex((other) => other.key === key) === index)
    .map(({ id, args }) => ({ tool: id, args }))
const named = ({ requests }, name) => requests.find((one) => one.name === name)
const keysDiffer = ({ same = [], different = [] }, record, at) =>
  [...same.map((group) => [group, 1]), [different, different.length]].flatMap(
    ([group, count, keys = group.map((name) => named(record, name)?.key)]) =>
      unless(
        keys.every(Boolean) && new Set(keys).size === count,
        `${at}, ${count} of`,
        group,
        keys,
      ),
  )
const gapsDiffer = (wanted, record, at) =>
  wanted.flatMap(({ agent, tool, node, from, to, atLeastMs = 0, atMostMs = Infinity }) => {
    const [first, second] = [from, to].map(
      (nth) => named(record, `${node ? `http:${node}` : tool ? `tool:${tool}` : agent}#${nth}`)?.at,
    )
    return isWithin(
      [atLeastMs, atMostMs],
      second - first,
      `${at} of ${node ?? tool ?? agent}, ${from} to ${to}`,
    )
  })
const callsOf = ({ requests }, which) =>
  requests.filter(({ kind, id }) =>
    which === undefined ? kind === "llm" : kind === "tool" && id === which,
  )
const names = (record) => callsOf(record).map(({ id }) => id)
const of = (relation, field) => (wanted, record, at, binds) =>
  relation(wanted, record[field], at, binds)
/** The fields of `expect`: functions of (expected value, record, path, binds, `expect`) that return the differences as lines. */
const expectations = {
  status: (wanted, { status, error }, at) =>
    unless(wanted === status, at, wanted, error ? `${status}: ${error}` : status),
  statusBeforeInputs: (wanted, { before }, at) =>
    wanted.flatMap((status, n) => (status ? is(status, before[n]?.status, `${at}[${n}]`) : [])),
  pendingBeforeInputs: (all, { before }, at, binds) =>
    all.flatMap((open, n) => pendingDiffers(open, before[n]?.pending ?? [], `${at}[${n}]`, binds)),
  pending: of(pendingDiffers, "pending"),
  finalText: of(is, "text"),
  hostLog: of(is, "hostLog"),
  sessions: of(has, "sessions"),
  artifacts: of(has, "artifacts"),
  state: (wanted, { state }, at, binds, all) => is(wanted, counted(state, all), at, binds),
  llmCalls: (wanted, record, at) =>
    unless(isInOrder(wanted, names(record)), at, wanted, names(record)),
  maxLlmCalls: (wanted, record, at) => isWithin([0, wanted], names(record).length, at),
  maxConcurrentLlmCalls: ({ atLeast = 0, atMost = Infinity }, { mostAtOnce }, at) =>
    isWithin([atLeast, atMost], mostAtOnce, at),
  requests: requestsDiffer,
  toolRequests: requestsDiffer,
  toolCalls: (wanted, record, at, binds) =>
    (wanted.unordered ? isSet : is)(wanted.unordered ?? wanted, callsMade(record), at, binds),
  toolAttempts: (wanted, record, at) =>
    Object.keys(wanted).flatMap((tool) =>
      is(wanted[tool], callsOf(record, tool).length, `${at}.${tool}`),
    ),
  idempotencyKeys: keysDiffer,
  gaps: gapsDiffer,
  ...graphExpectations,
  maxElapsedMs: () => [], // see `scenarioOf`
  events: (wanted, { facts }, at, binds, _, left = [...facts]) =>
    wanted.flatMap((one) =>
      unless(
        left.splice(0, 1 + left.findIndex((fact) => isFact(one, fact, binds))).length > 0,
        `${at}, in this order`,
        one,
        facts,
      ),
    ),
  eventsAnyOrder: (wanted, { facts }, at, binds) =>
    wanted.flatMap((one) =>
      unless(
        facts.some((fact) => isFact(one, fact, binds)),
        at,
        one,
        facts,
      ),
    ),
  eventsAbsent: (wanted, { facts }, at) =>
    wanted.flatMap((one) =>
      unless(!facts.some((fact) => isFact(one, fact)), `${at}, none like`, one, facts),
    ),
  errorContains: (wanted, { error = "" }, at) => containsAllI(wanted, error, at),
  warningsContain: (wanted, { warnings }, at) =>
    wanted.flatMap((parts) => holds([{ $containsAll: parts }], warnings, at)),
  warningsAbsent: (wanted, { warnings }, at) => containsNone(wanted, warnings.join("\n"), at),
  noWarnings: (_, { warnings }, at) => is([], warnings, at),
  stateMode: (wanted, _, at) => is("subset", wanted, at),
  neverContains: (wanted, { disclosed, warnings }, at) =>
    wanted
      .flatMap(disguises)
      .flatMap((form) =>
        Object.entries({ ...disclosed, warnings: show(warnings) }).flatMap(([where, what]) =>
          containsNone([form], what, `${at} in the ${where}`),
        ),
      ),
}
/** Returns all differences between a run and the expectations of its vector. Empty if the vector passed. */
export const judge = ({ expect }, record, binds = new Map()) => [
  ...record.problems,
  ...Object.entries(expect).flatMap(([field, wanted]) =>
    (expectations[field] ?? isUnknown)(wanted, record, `expect.${field}`, binds, expect),
  ),
  ...record.requests
    .filter(({ key }) => !key)
    .map(({ name }) => `${name}: the request carries no Idempotency-Key`),
  ...record.beyond.map((call) => `a call beyond the script: ${show(call)}`),
  ...(expect.maxLlmCalls === undefined ? record.unused : []).map(
    (entry) => `not used of the script: ${show(entry)}`,
  ),
]
