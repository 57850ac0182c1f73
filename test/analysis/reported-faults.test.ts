import { existsSync, readFileSync, readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ChartState } from "../../src/machines/contract/chart-machine.js"
import { chartOf, human, llm, loop, parallel, sequence } from "../support/workflow.js"

const codesOf = (chart: AgentChart): readonly string[] =>
  analyzeChart(chart).findings.map(({ code, agent, key }) =>
    [code, agent, ...(key === undefined ? [] : [key])].join(" "),
  )

/** Returns an edited copy of a chart. `edit` receives the state with the path in the root machine. */
function edited(
  chart: AgentChart,
  path: string,
  edit: (state: { -readonly [Field in keyof ChartState]: ChartState[Field] }) => void,
): AgentChart {
  const copy = structuredClone(chart)
  const state = path
    .split(".")
    .reduce<{ states?: Readonly<Record<string, ChartState>> }>(
      (at, key) => at.states?.[key] as ChartState,
      copy.machines[copy.root] as AgentChart["machines"][string],
    )
  edit(state)
  return copy
}

const adk = (root: object): AgentChart => {
  const { chart, diagnostics } = compile(root, { dialect: "adk" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const agent = (name: string, instruction = "Go.", fields: object = {}) => ({
  agent_class: "LlmAgent",
  name,
  model: "m",
  instruction,
  ...fields,
})
const pair = () => chartOf([sequence("s", ["a", "b"]), llm("a"), llm("b")])
const team = () =>
  chartOf([
    sequence("s", ["desk", "end"]),
    llm("desk", { subAgents: [llm("one"), llm("two")] }),
    llm("end"),
  ])

describe("states", () => {
  test("an agent without an incoming transition is reported as unreachable", () => {
    const chart = edited(
      pair(),
      "s.a",
      (state) =>
        void (state.invoke = {
          ...state.invoke!,
          onDone: state.invoke!.onDone.filter(({ guard }) => guard?.type !== "completed"),
        }),
    )
    expect(codesOf(chart)).toContain("unreachable_state b")
  })

  test("an agent with a condition that is never true is reported as unreachable", () => {
    expect(
      codesOf(chartOf([sequence("s", ["a", { agentId: "b", when: "1 > 2" }]), llm("a"), llm("b")])),
    ).toEqual(["unreachable_state b"])
  })

  test("agents that a condition always skips are reported as unreachable", () => {
    const chart = edited(
      chartOf([
        sequence("s", ["a", { agentId: "b", when: "True" }, "c"]),
        llm("a"),
        llm("b"),
        llm("c"),
      ]),
      "s.when_b",
      (state) => {
        state.always = (state.always ?? []).map((transition) =>
          transition.guard?.type === "conditionHolds"
            ? { ...transition, target: "#s.s.done" }
            : transition,
        )
      },
    )
    expect(codesOf(chart)).toEqual(["unreachable_state b", "unreachable_state c"])
  })

  test("a state without an outgoing transition is reported as a dead end", () => {
    const chart = edited(
      pair(),
      "s.b",
      (state) => void (state.invoke = { ...state.invoke!, onDone: [] }),
    )
    expect(codesOf(chart)).toContain("dead_end b")
  })

  test("a state without a transition for one outcome is reported as a dead end", () => {
    const chart = edited(
      pair(),
      "s.b",
      (state) =>
        void (state.invoke = { ...state.invoke!, onDone: state.invoke!.onDone.slice(0, -1) }),
    )
    expect(codesOf(chart)).toEqual(["dead_end b"])
  })

  test("a container without a transition after its end is reported as a dead end", () => {
    const chart = edited(
      chartOf([sequence("s", ["inner", "c"]), sequence("inner", ["a"]), llm("a"), llm("c")]),
      "s.inner",
      (state) => void (state.onDone = []),
    )
    expect(codesOf(chart)).toEqual(
      expect.arrayContaining(["unreachable_state c", "dead_end inner"]),
    )
  })

  test("a member of a team to which no agent can hand off is reported as unreachable", () => {
    const chart = team()
    const desk = chart.agents["desk"]!
    const one = chart.agents["one"]!
    const blocked = {
      ...chart,
      agents: {
        ...chart.agents,
        desk: { ...desk, transferTargets: ["one"] } as typeof desk,
        one: { ...one, transferTargets: ["desk"] } as typeof one,
      },
    }
    expect(codesOf(blocked)).toEqual(["unreachable_state two"])
  })

  test("an agent after a block with a branch that never ends is reported as unreachable", () => {
    const chart = edited(
      chartOf([sequence("s", ["p", "c"]), parallel("p", ["a", "b"]), llm("a"), llm("b"), llm("c")]),
      "s.p.b.b",
      (state) => {
        state.invoke = {
          ...state.invoke!,
          onDone: state.invoke!.onDone.filter(
            ({ guard }) => guard?.type !== "completed" && guard?.type !== "escalated",
          ),
        }
      },
    )
    expect(codesOf(chart)).toContain("unreachable_state c")
  })
})

describe("cycles", () => {
  test("a loop without a maximum and without an exit is reported as unbounded", () => {
    expect(codesOf(adk({ agent_class: "LoopAgent", name: "l", sub_agents: [agent("a")] }))).toEqual(
      ["unbounded_ring l"],
    )
  })

  test("a loop without a maximum that only waits for a person is reported as unbounded", () => {
    expect(
      codesOf(
        adk({
          agent_class: "LoopAgent",
          name: "l",
          loopExitCondition: "session_state.get('x') == 1",
          sub_agents: [{ agent_class: "HumanAgent", name: "h", prompt: "?", output_key: "x" }],
        }),
      ),
    ).toEqual(["unbounded_ring l"])
  })

  test("a loop without a maximum that can skip all its agents is reported as endless", () => {
    const config = {
      agent_class: "LoopAgent",
      name: "l",
      sub_agents: [agent("a", "Go.", { when: "session_state.get('x') == 1", output_key: "x" })],
    }
    expect(codesOf(adk(config))).toContain("endless_ring l")
  })

  test("handoffs without a limit are reported as unbounded", () => {
    const uncounted = ["desk", "one", "two"].reduce(
      (chart, member) =>
        edited(chart, `s.desk.${member}`, (state) => {
          state.invoke = {
            ...state.invoke!,
            onDone: state.invoke!.onDone.filter(
              ({ guard }) => guard?.type !== "handoffLimitReached",
            ),
          }
        }),
      team(),
    )
    expect(codesOf(uncounted)).toEqual(["unbounded_ring desk"])
    expect(analyzeChart(uncounted).bounds.modelCalls).toMatchObject({
      most: 500,
      limitedBy: ["maxModelCalls"],
    })
  })

  test("a loop that checks its maximum too late is reported as unbounded", () => {
    const chart = edited(
      chartOf([loop("l", ["a"], 3), llm("a")]),
      "l.checking",
      (state) => void (state.always = (state.always ?? []).toReversed()),
    )
    expect(codesOf(chart)).toEqual(expect.arrayContaining(["unbounded_ring l"]))
  })

  test("a transition back to an earlier agent of a sequence is reported as unbounded", () => {
    const chart = edited(pair(), "s.b", (state) => {
      state.invoke = {
        ...state.invoke!,
        onDone: state.invoke!.onDone.map((transition) =>
          transition.guard?.type === "completed" ? { ...transition, target: "#s.s.a" } : transition,
        ),
      }
    })
    expect(codesOf(chart)).toContain("unbounded_ring s")
    expect(analyzeChart(chart).bounds.modelCalls.most).toBe(500)
  })

  test("a choice that only leads to itself is reported as a dead end", () => {
    const chart = edited(
      chartOf(
        [
          sequence("s", [{ agentId: "a", when: "session_state.get('x')" }, "b"]),
          llm("a"),
          llm("b"),
        ],
        { state: { x: 1 } },
      ),
      "s.when_a",
      (state) => {
        state.always = (state.always ?? []).map((transition) => ({
          ...transition,
          target: "#s.s.when_a",
        }))
      },
    )
    expect(codesOf(chart)).toContain("dead_end s")
  })
})

describe("state keys", () => {
  test("an instruction that reads a key before it is written is reported", () => {
    const config = {
      agent_class: "SequentialAgent",
      name: "s",
      sub_agents: [
        agent("reader", "Use {draft}."),
        agent("writer", "Go.", { output_key: "draft" }),
      ],
    }
    expect(codesOf(adk(config))).toEqual(["read_before_write reader draft"])
  })

  test("the instructions of a model by name that read a key before it is written are reported", () => {
    const chart = (instructions: string) =>
      chartOf([
        loop("l", ["writer", "editor"], 2),
        {
          type: "LlmAgent",
          id: "writer",
          model: "m",
          instructions,
          outputKey: "draft",
        },
        human("editor", { prompt: "{draft}", outputKey: "decision" }),
      ])
    expect(codesOf(chart("Write. The editor says: {decision}"))).toEqual([
      "read_before_write writer decision",
    ])
    expect(analyzeChart(chart("Write. The editor says: {decision}")).findings[0]?.fix).toContain(
      "or write {decision?} if the key may be missing",
    )
    expect(codesOf(chart("Write. The editor says: {decision?}"))).toEqual([])
  })

  test("a condition that reads a key before it is written is reported", () => {
    expect(
      codesOf(
        chartOf([
          sequence("s", [{ agentId: "a", when: "session_state['b_text'] == 'x'" }, "b"]),
          llm("a"),
          llm("b"),
        ]),
      ),
    ).toEqual(["read_before_write a b_text"])
  })

  test("a branch that reads a key of another branch is reported as a race", () => {
    const config = {
      agent_class: "ParallelAgent",
      name: "p",
      sub_agents: [
        agent("writer", "Go.", { output_key: "draft" }),
        agent("reader", "Use {draft}."),
      ],
    }
    expect(codesOf(adk(config))).toEqual(["branch_race reader draft"])
  })

  test("two branches that write the same key are reported as a race", () => {
    expect(
      codesOf(
        chartOf([
          parallel("p", ["a", "deep"]),
          sequence("deep", ["b"]),
          llm("a", { outputKey: "k" }),
          llm("b", { outputKey: "k" }),
        ]),
      ),
    ).toEqual(["branch_race b k"])
  })

  test("a key that is overwritten before it is read is reported", () => {
    expect(
      codesOf(
        chartOf([
          sequence("s", ["a", "b"]),
          human("a", { outputKey: "k" }),
          human("b", { outputKey: "k" }),
        ]),
      ),
    ).toEqual(["overwritten_unread a k"])
  })

  test("a key that is overwritten unread in each iteration of a loop is reported", () => {
    const config = {
      agent_class: "LoopAgent",
      name: "l",
      max_iterations: 2,
      sub_agents: [agent("a", "Go.", { output_key: "k" }), agent("b", "Go.", { output_key: "k" })],
    }
    expect(codesOf(adk(config))).toEqual(["overwritten_unread a k"])
  })

  test("an instruction that reads a key without a writer is reported", () => {
    expect(codesOf(adk(agent("a", "Use {ghost}.")))).toEqual(["read_before_write a ghost"])
  })
})

describe("outcomes and branches", () => {
  test("an outcome that no run can have is reported as unreachable", () => {
    const withoutExit = (chart: AgentChart, path: string) =>
      edited(
        chart,
        path,
        (state) =>
          void (state.invoke = {
            ...state.invoke!,
            onDone: state.invoke!.onDone.filter(({ guard }) => guard?.type !== "exited"),
          }),
      )
    expect(analyzeChart(withoutExit(withoutExit(pair(), "s.a"), "s.b")).findings).toMatchObject([
      { code: "unreachable_state", state: "s.exited" },
    ])
  })

  test("a branch that repeats without end is reported", () => {
    const chart = edited(
      chartOf([parallel("p", ["a", "b"]), llm("a"), llm("b")]),
      "p.b.b",
      (state) => void (state.invoke = { ...state.invoke!, onDone: [{ target: "#p.p.b.b" }] }),
    )
    expect(codesOf(chart)).toEqual(expect.arrayContaining(["unbounded_ring b", "dead_end b"]))
  })
})

describe("charts without findings", () => {
  const examples = readdirSync("examples").filter((name) =>
    existsSync(`examples/${name}/chart.json`),
  )

  test.each(examples)("the example %s has no findings", (name) => {
    expect(
      codesOf(JSON.parse(readFileSync(`examples/${name}/chart.json`, "utf8")) as AgentChart),
    ).toEqual([])
  })

  test("a key that is optional, tested first or written in the previous iteration is not reported", () => {
    const config = {
      agent_class: "LoopAgent",
      name: "l",
      max_iterations: 3,
      loopExitCondition: "'verdict' in session_state and session_state['verdict'] == 'good'",
      sub_agents: [
        agent("writer", "Use {verdict?}.", { output_key: "draft" }),
        agent("critic", "Judge {draft}.", { output_key: "verdict" }),
      ],
    }
    expect(codesOf(adk(config))).toEqual([])
  })

  test("a branch that reads a key of another branch in the next iteration is not reported", () => {
    const agents = [
      loop("l", ["p"], 3),
      parallel("p", ["a", { agentId: "b", when: "session_state.get('a_text') != 'enough'" }]),
      llm("a"),
      llm("b"),
    ]
    expect(codesOf(chartOf(agents))).toEqual([])
    expect(codesOf(chartOf(agents.slice(1)))).toEqual(["branch_race b a_text"])
  })

  test("a container with the same output key as its last agent is not reported", () => {
    expect(
      codesOf(chartOf([sequence("s", ["a"], { outputKey: "k" }), llm("a", { outputKey: "k" })])),
    ).toEqual([])
  })

  test("branches that write the same key with a merge rule or exclusive conditions are not reported", () => {
    const agents = [llm("a", { outputKey: "k" }), llm("b", { outputKey: "k" })]
    expect(
      codesOf(chartOf([parallel("p", ["a", "b"]), ...agents], { stateMerge: { k: "append" } })),
    ).toEqual([])
    const either = [
      { agentId: "a", when: "session_state['x'] == 1" },
      { agentId: "b", when: "session_state['x'] != 1" },
    ]
    expect(codesOf(chartOf([parallel("p", either), ...agents], { state: { x: 1 } }))).toEqual([])
  })
})
