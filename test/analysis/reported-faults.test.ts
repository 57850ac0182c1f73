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

/** A chart that a person has edited: `edit` is given a copy of one state, by its path in the root machine. */
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
  test("1: an agent that nothing leads to any more", () => {
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

  test("2: an agent behind a condition that is never true", () => {
    expect(
      codesOf(chartOf([sequence("s", ["a", { agentId: "b", when: "1 > 2" }]), llm("a"), llm("b")])),
    ).toEqual(["unreachable_state b"])
  })

  test("3: all that comes after a condition that is always true and leads past it", () => {
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

  test("4: a state that nothing leads out of", () => {
    const chart = edited(
      pair(),
      "s.b",
      (state) => void (state.invoke = { ...state.invoke!, onDone: [] }),
    )
    expect(codesOf(chart)).toContain("dead_end b")
  })

  test("5: an ending that no transition takes", () => {
    const chart = edited(
      pair(),
      "s.b",
      (state) =>
        void (state.invoke = { ...state.invoke!, onDone: state.invoke!.onDone.slice(0, -1) }),
    )
    expect(codesOf(chart)).toEqual(["dead_end b"])
  })

  test("6: a container whose end leads nowhere", () => {
    const chart = edited(
      chartOf([sequence("s", ["inner", "c"]), sequence("inner", ["a"]), llm("a"), llm("c")]),
      "s.inner",
      (state) => void (state.onDone = []),
    )
    expect(codesOf(chart)).toEqual(
      expect.arrayContaining(["unreachable_state c", "dead_end inner"]),
    )
  })

  test("7: a member of a team that no agent can hand off to", () => {
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

  test("8: a branch whose end is missing, so that its block never joins", () => {
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

describe("rings", () => {
  test("9: a loop without a maximum and without a way to end", () => {
    expect(codesOf(adk({ agent_class: "LoopAgent", name: "l", sub_agents: [agent("a")] }))).toEqual(
      ["unbounded_ring l"],
    )
  })

  test("10: a loop without a maximum that waits for a person and never asks a model", () => {
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

  test("11: a loop without a maximum that may skip all that is in it", () => {
    const config = {
      agent_class: "LoopAgent",
      name: "l",
      sub_agents: [agent("a", "Go.", { when: "session_state.get('x') == 1", output_key: "x" })],
    }
    expect(codesOf(adk(config))).toContain("endless_ring l")
  })

  test("12: uncounted handoffs", () => {
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

  test("13: a maximum that is asked too late", () => {
    const chart = edited(
      chartOf([loop("l", ["a"], 3), llm("a")]),
      "l.checking",
      (state) => void (state.always = (state.always ?? []).toReversed()),
    )
    expect(codesOf(chart)).toEqual(expect.arrayContaining(["unbounded_ring l"]))
  })

  test("14: a way back in a sequence", () => {
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

  test("15: two choices that lead to each other", () => {
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
  test("16: an instruction that reads what is written later", () => {
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

  test("the instructions of a model by name that read what is written later in the loop", () => {
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

  test("17: a condition that fails, as its key is written only after it", () => {
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

  test("18: a branch that reads what its sibling writes", () => {
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

  test("19: two branches that write one key", () => {
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

  test("20: what is written is overwritten before anything has read it", () => {
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

  test("21: the same in each round of a loop", () => {
    const config = {
      agent_class: "LoopAgent",
      name: "l",
      max_iterations: 2,
      sub_agents: [agent("a", "Go.", { output_key: "k" }), agent("b", "Go.", { output_key: "k" })],
    }
    expect(codesOf(adk(config))).toEqual(["overwritten_unread a k"])
  })

  test("22: an instruction that reads what nothing writes, in a chart without its config", () => {
    expect(codesOf(adk(agent("a", "Use {ghost}.")))).toEqual(["read_before_write a ghost"])
  })
})

describe("ends", () => {
  test("23: a way of ending that no run can end in", () => {
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

  test("24: a region that is left open while the others have ended", () => {
    const chart = edited(
      chartOf([parallel("p", ["a", "b"]), llm("a"), llm("b")]),
      "p.b.b",
      (state) => void (state.invoke = { ...state.invoke!, onDone: [{ target: "#p.p.b.b" }] }),
    )
    expect(codesOf(chart)).toEqual(expect.arrayContaining(["unbounded_ring b", "dead_end b"]))
  })
})

describe("no false alarm", () => {
  const examples = readdirSync("examples").filter((name) =>
    existsSync(`examples/${name}/chart.json`),
  )

  test.each(examples)("%s", (name) => {
    expect(
      codesOf(JSON.parse(readFileSync(`examples/${name}/chart.json`, "utf8")) as AgentChart),
    ).toEqual([])
  })

  test("a key that is read optionally, tested before it is read, or written in the round before", () => {
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

  test("a branch that looks in the next round for what another has written", () => {
    const agents = [
      loop("l", ["p"], 3),
      parallel("p", ["a", { agentId: "b", when: "session_state.get('a_text') != 'enough'" }]),
      llm("a"),
      llm("b"),
    ]
    expect(codesOf(chartOf(agents))).toEqual([])
    expect(codesOf(chartOf(agents.slice(1)))).toEqual(["branch_race b a_text"])
  })

  test("a container that gives its last agent's text a name of its own", () => {
    expect(
      codesOf(chartOf([sequence("s", ["a"], { outputKey: "k" }), llm("a", { outputKey: "k" })])),
    ).toEqual([])
  })

  test("branches that write one key where a rule joins them, or conditions exclude each other", () => {
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
