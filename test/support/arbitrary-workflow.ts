import * as fc from "fast-check"
import { agentTool, httpTool, human, llm, loop, parallel, sequence } from "./workflow.js"

type Fields = Readonly<Record<string, unknown>>

/** A config and the responses of its services. */
export interface ScriptedWorkflow {
  readonly agents: readonly Fields[]
  readonly fields: Fields
  readonly models: Readonly<Record<string, readonly unknown[]>>
  readonly tools: Readonly<Record<string, readonly unknown[]>>
  /** Configs of the workflows that agents call by name. */
  readonly called: Readonly<Record<string, Fields>>
}

type Shape =
  | {
      readonly kind: "llm"
      readonly script: readonly Turn[]
      readonly tools: readonly string[]
      readonly attempts: number
    }
  | { readonly kind: "human" }
  | {
      readonly kind: "workflow"
      readonly script: readonly Turn[]
      /** Whether a person answers before or after the agent of the called workflow. */
      readonly asks: "before" | "after" | null
      readonly isState: boolean
      readonly maxModelCalls: number | null
      /** Milliseconds after which the call fails. */
      readonly maxDuration: number | null
    }
  | { readonly kind: "team"; readonly script: readonly Turn[]; readonly members: readonly Shape[] }
  | {
      readonly kind: "sequence" | "parallel" | "loop"
      readonly children: readonly Child[]
      readonly policy: string
      readonly most: number
      readonly exits: boolean
      /** Number of items over which a parallel block runs its first child; null: it runs all children. */
      readonly items: number | null
      /** Number of branches that have to succeed; null: all have to end. */
      readonly quorum: number | null
    }

interface Child {
  readonly shape: Shape
  readonly when: string | null
}

/** One response of a model. `calls` and `transfer` are numbers that are replaced when the agents have names. */
interface Turn {
  readonly text: string | null
  readonly calls: number
  readonly transfer: number | null
  readonly signal: "exitFlow" | "escalate" | "waitForUserInput" | "hitl" | null
  readonly status: number | null
}

const turn: fc.Arbitrary<Turn> = fc.record({
  text: fc.option(fc.constantFrom("a", "b", "ok", ""), { freq: 8 }),
  calls: fc.constantFrom(0, 0, 0, 1, 2),
  transfer: fc.option(fc.nat(5), { freq: 3 }),
  signal: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("exitFlow", "escalate", "waitForUserInput", "hitl" as const),
    },
  ),
  status: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(503, 400) },
  ),
})

/** Fields of a HumanAgent with choices. The tests of these workflows only use answers that match the choices. */
const choosing = {
  prompt: "{{one}} of {a0_text?}?",
  choices: ["Yes", "b", "ok"],
  show: ["a0_text", "found"],
}

const script = fc.array(turn, { minLength: 1, maxLength: 3 })
const toolNames = ["find", "order", "ask_helper"]

const workflowShape = fc.record({
  kind: fc.constant("workflow" as const),
  script,
  asks: fc.constantFrom("before", "after", null, null),
  isState: fc.boolean(),
  maxModelCalls: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 3 }),
  maxDuration: fc.option(fc.integer({ min: 200, max: 2_000 }), { freq: 3 }),
})

/** Random trees. `calls` is the weight of agents that call other workflows. */
const shapes = (calls: 0 | 3): fc.Arbitrary<Shape> =>
  fc.letrec<{ shape: Shape; child: Child }>((tie) => ({
    shape: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      ...(calls === 0 ? [] : [{ weight: calls, arbitrary: workflowShape }]),
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant("llm" as const),
          script,
          tools: fc.subarray(toolNames),
          attempts: fc.constantFrom(1, 2),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("human" as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("team" as const),
          script,
          members: fc.array(tie("shape"), { minLength: 1, maxLength: 2 }),
        }),
      },
      {
        weight: 7,
        arbitrary: fc.record({
          kind: fc.constantFrom("sequence", "parallel", "parallel", "loop"),
          children: fc.array(tie("child"), { minLength: 1, maxLength: 5 }),
          policy: fc.constantFrom("fail-fast", "collect", "wait-all"),
          most: fc.integer({ min: 1, max: 3 }),
          exits: fc.boolean(),
          items: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }),
          quorum: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 }),
        }),
      },
    ),
    child: fc.record({
      shape: tie("shape"),
      when: fc.option(
        fc.constantFrom(
          "session_state.get('a0_text') == 'ok'",
          "session_state.get('flag', 1) == 1",
          "session_state['ghost'] == 1",
        ),
        { freq: 5 },
      ),
    }),
  })).shape

const scriptedWorkflows = (calls: 0 | 3): fc.Arbitrary<ScriptedWorkflow> =>
  fc
    .record({
      root: shapes(calls),
      exitScope: fc.constantFrom("workflow", "agent"),
      append: fc.boolean(),
      bounded: fc.boolean(),
      maxModelCalls: fc.integer({ min: 3, max: 40 }),
    })
    .map(({ root, exitScope, append, bounded, maxModelCalls }) =>
      build(root, exitScope, append, bounded, maxModelCalls),
    )

/** Random trees of all agent types with random scripts: every signal, every pause, failures, retries, tools. */
export const scriptedWorkflow = scriptedWorkflows(0)

/** The same, with agents that call other workflows. */
export const scriptedWorkflowWithCalls = scriptedWorkflows(3)

function build(
  root: Shape,
  exitScope: string,
  append: boolean,
  bounded: boolean,
  maxModelCalls: number,
): ScriptedWorkflow {
  const agents: Fields[] = []
  const models: Record<string, readonly unknown[]> = {
    helper: [{ content: "help" }, { content: "more", escalate: true }],
  }
  const called: Record<string, Fields> = {}
  let count = 0

  const answersOf = (
    turns: readonly Turn[],
    tools: readonly string[],
    targets: readonly string[],
  ): readonly unknown[] => {
    const answers = turns.map(({ text, calls, transfer, signal, status }, index) => {
      if (status !== null) return { status }
      const toolCalls = Array.from({ length: tools.length === 0 ? 0 : calls }, (_, at) => {
        const name = tools[(index + at) % tools.length] ?? "find"
        return { id: `${index}_${at}`, function_name: name, function_args: { request: "x" } }
      })
      if (transfer !== null && targets.length > 0) {
        toolCalls.push({
          id: "t",
          function_name: "transfer_to_agent",
          function_args: { agent_name: targets[transfer % targets.length] ?? "nobody" } as never,
        })
      }
      const flag =
        signal === null
          ? {}
          : signal === "hitl"
            ? { hitlRequest: { prompt: "may I?" } }
            : { [signal]: true }
      return { content: text, toolCalls, ...flag }
    })
    return [...answers, { content: "end" }]
  }

  const add = (node: Shape): string => {
    const id = `a${count++}`
    agents.push(...define(node, id, agents.length))
    return id
  }
  /** Returns the config of an agent. The config of a team contains the configs of its members. */
  const configOf = (node: Shape, id: string): Fields => {
    switch (node.kind) {
      case "human":
        return human(id, count % 2 === 0 ? choosing : {})
      case "llm":
        models[id] = answersOf(node.script, node.tools, [])
        return llm(id, {
          tools: node.tools,
          activityConfig: { retryPolicy: { maximumAttempts: node.attempts, initialInterval: 10 } },
        })
      case "workflow": {
        const name = `w${count++}`
        models[name] = answersOf(node.script, [], [])
        const steps = [
          ...(node.asks === "before" ? [`${name}_boss`] : []),
          name,
          ...(node.asks === "after" ? [`${name}_boss`] : []),
        ]
        called[name] = {
          rootAgentId: `${name}_line`,
          agents: [
            sequence(`${name}_line`, steps),
            llm(name),
            ...(node.asks === null ? [] : [human(`${name}_boss`, choosing)]),
          ],
          maxOrchestrationCycles: 3,
        }
        return {
          type: "WorkflowAgent",
          id,
          workflow: name,
          outputKey: `${id}_text`,
          ...(node.isState && { output: "state" }),
          ...(node.maxModelCalls !== null && { maxModelCalls: node.maxModelCalls }),
          ...(node.maxDuration !== null && { maxDuration: node.maxDuration }),
        }
      }
      case "team": {
        const members = node.members.map((member) => ({ member, id: `a${count++}` }))
        models[id] = answersOf(
          node.script,
          [],
          members.map((member) => member.id),
        )
        return llm(id, {
          subAgents: members.map(({ member, id: inner }) => configOf(member, inner)),
        })
      }
      case "sequence":
      case "parallel":
      case "loop": {
        const isList = node.kind === "parallel" && node.items !== null
        const shapes = isList ? node.children.slice(0, 1) : node.children
        const children = shapes.map(({ shape: child, when }) => ({
          agentId: add(child),
          ...(when === null ? {} : { when }),
        }))
        if (node.kind === "sequence") return sequence(id, children, { outputKey: `${id}_text` })
        if (node.kind === "parallel")
          return parallel(id, children, {
            failurePolicy: node.policy,
            ...(bounded ? { maxConcurrency: node.most } : {}),
            ...listOf(node, id, children[0]?.agentId ?? ""),
            ...completionOf(node, children.length),
            ...(node.most === 2 ? { onEscalate: "cancel" } : {}),
          })
        return loop(
          id,
          children,
          node.most,
          node.exits ? { loopExitCondition: "session_state.get('a1_text') in ['ok', 'b']" } : {},
        )
      }
    }
  }
  const define = (node: Shape, id: string, at: number): readonly Fields[] => {
    const own = configOf(node, id)
    agents.splice(at, 0, own)
    return []
  }
  add(root)
  agents.push(llm("helper"))
  return {
    agents,
    models,
    called,
    tools: {
      find: [{ hits: 1 }, { status: 500 }, "text"],
      order: [{ pending: true }, { pending: true, ticket: 7 }, [1]],
    },
    fields: {
      globalTools: [
        httpTool("find", { outputKey: "found" }),
        httpTool("order", { outputKey: "ordered" }),
        agentTool("ask_helper", "helper"),
      ],
      subAgentExitFlow: exitScope,
      maxModelCalls,
      maxModelCallsPerTurn: 6,
      maxOrchestrationCycles: 3,
      maxHandoffs: 4,
      ...(append ? { stateMerge: { a1_text: "append", a2_text: "union", found: "append" } } : {}),
    },
  }
}

type Group = Extract<Shape, { readonly children: unknown }>

/** Returns the list over which a block runs its child. Items have different names in each block, so that blocks can be nested. */
function listOf({ items, exits }: Group, id: string, child: string): Fields {
  if (items === null) return {}
  const names = Array.from({ length: items }, (_, index) => `'${id}_${index}'`)
  return {
    forEach: {
      items: exits ? `[${names.join(", ")}]` : `(${names.map((name) => `${name}, `).join("")})`,
      as: `${id}_item`,
      maxItems: Math.max(1, items),
      ...(exits ? { collect: { [`${id}_all`]: `${child}_text` } } : {}),
    },
  }
}

function completionOf({ items, quorum, exits }: Group, children: number): Fields {
  if (quorum === null) return {}
  if (exits) return { completion: "first-success" }
  return { completion: { quorum: items === null ? Math.min(quorum, children) : quorum } }
}
