const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
const namesCode =
  /^(policyEngine|(before_?(agent|model|tool)|after_?(agent|model|tool)|on_?(model|tool)_?error)_?callbacks?)$/i
const write = (values, { state }, next = (value) => value) =>
  Object.keys(values).forEach((key) => state.set(key, next(values[key], key)))
/** The steps of a stand-in: functions of (value, environment, step). A step that returns an object ends the script with its `returns`. */
const kinds = {
  log: (line, { hostLog }) => void hostLog.push(line),
  setState: (values, at) => write(values, at),
  increment: (values, at) => write(values, at, (by, key) => (at.state.get(key) ?? 0) + by),
  setArgs: (args, { input }) => void Object.assign(input.args, args),
  throws: (message) => {
    throw new Error(message)
  },
  rules: (rules, { input }) => ({
    returns: rules.find(({ tool }) => [input.tool, "*"].includes(tool)),
  }),
  returns: (returns) => ({ returns }),
  saveInput: (key, at) => write({ [key]: at.input }, at),
  route: (returns) => ({ returns }),
  routeFromState: (key, { state }) => ({ returns: state.get(key) }),
  routeMap: ({ key, values, else: otherwise }, { state }) => ({
    returns: values[state.get(key)] ?? otherwise,
  }),
  run: async (agent, { context }) => void (await context.runAgent(agent)),
  stopIfMissing: (key, { state }) => (state.has(key) ? undefined : {}),
  if: ({ key, equals }, at, { then = [], else: otherwise = [] }) =>
    follow(at.state.get(key) === equals ? then : otherwise, at),
  escalateIf: ({ key, equals }, { context, state }) =>
    void (state.get(key) === equals && context.escalate()),
  try: (steps, at, { catch: others }) =>
    follow(steps, at).catch((error) => follow(others, { ...at, error })),
  setErrorIn: (key, at) => write({ [key]: at.error.message }, at),
  ask: async ({ prompt, into }, at) => write({ [into]: await at.context.ask(prompt) }, at),
  step: async ({ name, log, returns, into = [] }, at) =>
    // a step without `into` writes nothing
    at.context
      .step(name, () => (log && at.hostLog.push(log), returns))
      .then((result) => [into].flat().forEach((key) => at.state.set(key, result))),
  saveArtifact: async ({ name, text }, { context }) =>
    void (await context.saveArtifact(name, text)),
  loadArtifact: async ({ name, into }, at) =>
    write({ [into]: await at.context.loadArtifact(name) }, at),
}

async function follow(steps, at) {
  for (const step of steps) {
    const kind = Object.keys(kinds).find((name) => Object.hasOwn(step, name))
    const ending = await (
      kinds[kind] ??
      (() => {
        throw new Error(`the harness does not know the step ${JSON.stringify(step)}`)
      })
    )(step[kind], at, step)
    if (ending) return ending
  }
}
/** Returns the config of a vector with a service name for every stand-in, and these services, which log to `hostLog`. */
export function withServices({ config, services: given = {} }, hostLog, services = {}) {
  const serve = (name, { script, ...does }) => {
    const steps =
      script ??
      Object.keys({ ...kinds, ...does })
        .filter((kind) => Object.hasOwn(does, kind))
        .map((kind) => ({ [kind]: does[kind] }))
    services[name] = async (context, input) =>
      (await follow(steps, { context, state: context.state, input, hostLog }))?.returns
    return { service: name }
  }
  const walk = (value, name, isCode) => {
    if (Array.isArray(value))
      return value.map((one, index) => walk(one, `${name}.${index}`, isCode))
    if (!isObject(value)) return value
    if (isCode)
      return ["service", "name"].some((key) => Object.hasOwn(value, key))
        ? value
        : serve(name, value)
    const { script, ...object } = value
    const code = script && {
      ...serve(name, { script }),
      ...(object.type === "CustomAgent" && { subAgents: agentsRun(script, object) }),
    }
    return Object.fromEntries(
      Object.entries({ ...object, ...code }).map(([key, inner]) => [
        key,
        walk(inner, `${name}.${key}`, namesCode.test(key)),
      ]),
    )
  }
  for (const [name, standIn] of Object.entries(given)) serve(name, standIn)
  return { config: walk(config, "stand-in"), services }
}
/** Returns the sub-agents of a custom agent, and the agents that its script runs but that are not listed. */
function agentsRun(script, { subAgents = [] }) {
  const runs = [...JSON.stringify(script).matchAll(/"run":"([^"]+)"/g)].map(
    ([, agentId]) => agentId,
  )
  const listed = new Set(subAgents.map(({ agentId, id, name }) => agentId ?? id ?? name))
  return [
    ...subAgents,
    ...[...new Set(runs)].filter((agentId) => !listed.has(agentId)).map((agentId) => ({ agentId })),
  ]
}
