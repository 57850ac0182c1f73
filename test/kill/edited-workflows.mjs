const llm = (id) => ({
  type: "LlmAgent",
  id,
  model: "any",
  instructions: `You are ${id}.`,
  outputKey: `${id}_text`,
})
const human = (id) => ({ type: "HumanAgent", id, prompt: `${id}?`, outputKey: `${id}_answer` })
const container = (type, id, subAgents, fields = {}) => ({
  type,
  id,
  subAgents: subAgents.map((agentId) => ({ agentId })),
  ...fields,
})

const members = {
  left: llm("left"),
  boss: human("boss"),
  right: llm("right"),
  writer: llm("writer"),
  critic: human("critic"),
}

/** Returns a random workflow of models and people: agents in sequence, in parallel branches and in a loop. */
export function workflowWithPeople(id, random) {
  const some = (items, least) =>
    items.slice(0, least + Math.floor(random() * (items.length - least + 1)))
  const parts = [
    llm("first"),
    container("ParallelAgent", "both", some(["left", "boss", "right"], 2)),
    llm("middle"),
    container("LoopAgent", "rounds", ["writer", "critic"], {
      maxAgentLoopIterations: 1 + Math.floor(random() * 3),
    }),
    human("judge"),
    llm("last"),
  ].filter(({ type }) => type !== "LlmAgent" || random() < 0.8)
  return {
    rootAgentId: id,
    initialUserInput: "go",
    agents: [
      container(
        "SequentialAgent",
        id,
        parts.map((part) => part.id),
      ),
      ...parts,
      ...parts.flatMap(({ subAgents = [] }) => subAgents.map(({ agentId }) => members[agentId])),
    ],
  }
}

const extra = llm("extra")
const inserted = (list, at, item) => [...list.slice(0, at), item, ...list.slice(at)]

/** The edits. Each of them returns the fields of the agent with the id that it changes, or adds agents. */
const edits = [
  (change) => change("writer", { instructions: "Write it in other words." }),
  (change) => change("judge", { prompt: "Is it good?", description: "Decides." }),
  (change) =>
    change("root", ({ subAgents }) => ({ subAgents: [...subAgents, { agentId: "extra" }] })),
  (change) =>
    change("root", ({ subAgents }) => ({ subAgents: [{ agentId: "extra" }, ...subAgents] })),
  (change) => change("both", ({ subAgents }) => ({ subAgents: [...subAgents].reverse() })),
  (change) =>
    change("both", ({ subAgents }) => ({ subAgents: [...subAgents, { agentId: "extra" }] })),
  (change) =>
    change("both", ({ subAgents }) => ({ subAgents: [{ agentId: "extra" }, ...subAgents] })),
  (change) => change("rounds", { maxAgentLoopIterations: 1 }),
  (change) => change("rounds", { maxAgentLoopIterations: 5 }),
  (change) => change("critic", { outputKey: "criticism" }),
  (change) =>
    change("root", ({ subAgents }) => ({
      subAgents: inserted(subAgents, subAgents.length - 1, { agentId: "extra" }),
    })),
  (change) => change("root", ({ subAgents }) => ({ subAgents: subAgents.slice(0, -1) })),
  (change) => change("config", { maxModelCalls: 3 }),
  (change) => change("root", ({ subAgents }) => ({ subAgents: [...subAgents].reverse() })),
]

/** Returns a workflow with the edit of a number, and sometimes with a second, random edit. */
export function editedWorkflow(config, number, random) {
  const numbers = [
    number % edits.length,
    ...(random() < 0.2 ? [Math.floor(random() * edits.length)] : []),
  ]
  return numbers.reduce(
    (before, each) => edits[each]((id, fields) => changed(before, id, fields)),
    config,
  )
}

function changed(config, id, fields) {
  const fieldsFor = (value) => (typeof fields === "function" ? fields(value) : fields)
  if (id === "config") return { ...config, ...fieldsFor(config) }
  const changedId = id === "root" ? config.rootAgentId : id
  const agents = config.agents.map((agent) =>
    agent.id === changedId ? { ...agent, ...fieldsFor(agent) } : agent,
  )
  const isAdded =
    JSON.stringify(agents).includes('"agentId":"extra"') &&
    !agents.some((agent) => agent.id === "extra")
  return { ...config, agents: isAdded ? [...agents, extra] : agents }
}
