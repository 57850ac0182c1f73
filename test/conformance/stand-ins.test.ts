import { describe, expect, test } from "vitest"
import type { HostContext } from "agent-statecharts/runtime"
import { withServices } from "./stand-ins.mjs"

/** Runs the service that a stand-in becomes, and returns its result and its effects. */
async function played(
  standIn: object,
  input: unknown = null,
  before: Record<string, unknown> = {},
) {
  const [log, ran, kept]: [unknown[], string[], Map<string, unknown>] = [
    [],
    [],
    new Map(Object.entries(before)),
  ]
  const { services } = withServices({ config: {}, services: { it: standIn } }, log)
  const context = {
    state: {
      get: (key: string) => kept.get(key),
      has: (key: string) => kept.has(key),
      set: (key: string, value: unknown) => void kept.set(key, value),
    },
    runAgent: async (name: string) => {
      ran.push(name)
      if (name === "broken") throw new Error("it broke")
      return { text: name }
    },
    step: async (_: string, action: () => unknown) => action(),
    ask: async (prompt: string) => `${prompt} yes`,
    escalate: () => ran.push("escalated"),
  }
  // The context has only the members that stand-ins use.
  const value = await services["it"]?.(context as unknown as HostContext, input)
  return { value, log, ran, state: Object.fromEntries(kept) }
}

const script = (...steps: object[]) => ({ script: steps })

describe("a stand-in", () => {
  test("a stand-in logs, writes state, returns a value or throws, depending on its fields", async () => {
    expect(await played({ returns: { a: 1 }, log: "x", setState: { k: 2 } })).toMatchObject({
      value: { a: 1 },
      log: ["x"],
      state: { k: 2 },
    })
    expect(await played({})).toMatchObject({ value: undefined, log: [], state: {} })
    await expect(played({ throws: "no" })).rejects.toThrow("no")
  })

  test("`setArgs` changes the arguments of a tool call in place", async () => {
    const input = { args: { city: "Oslo", unit: "C" } }
    await played({ setArgs: { city: "Rome" } }, input)
    expect(input.args).toEqual({ city: "Rome", unit: "C" })
  })

  test("the first rule that names the tool or all tools applies", async () => {
    const rules = [
      { tool: "pay", outcome: "DENY" },
      { tool: "*", outcome: "ALLOW" },
    ]
    expect((await played({ rules }, { tool: "pay" })).value).toMatchObject({ outcome: "DENY" })
    expect((await played({ rules }, { tool: "look" })).value).toMatchObject({ outcome: "ALLOW" })
  })

  test("a script ends at `returns`, or at `stopIfMissing` if the key is missing", async () => {
    expect(await played(script({ run: "a" }, { stopIfMissing: "k" }, { run: "b" }))).toMatchObject({
      ran: ["a"],
    })
    expect(
      await played(
        script({ run: "a" }, { stopIfMissing: "k" }, { run: "b" }, { returns: 1 }, { run: "c" }),
        null,
        { k: 1 },
      ),
    ).toMatchObject({ ran: ["a", "b"], value: 1 })
    const choice: object = JSON.parse(
      '{"script": [{"if": {"key": "k", "equals": 1}, "then": [{"run": "then"}], "else": [{"run": "else"}]}, {"escalateIf": {"key": "k", "equals": 1}}]}',
    )
    expect((await played(choice, null, { k: 1 })).ran).toEqual(["then", "escalated"])
    expect((await played(choice)).ran).toEqual(["else"])
  })

  test("a script can catch errors, increment state, ask a person and execute steps", async () => {
    expect(
      await played(
        script({
          try: [{ run: "broken" }, { run: "never" }],
          catch: [{ setErrorIn: "why" }, { run: "spare" }],
        }),
      ),
    ).toMatchObject({ ran: ["broken", "spare"], state: { why: "it broke" } })
    expect(
      (
        await played(
          script(
            { increment: { n: 2 } },
            { increment: { n: 3 } },
            { ask: { prompt: "Go?", into: "reply" } },
          ),
        )
      ).state,
    ).toEqual({ n: 5, reply: "Go? yes" })
    expect(
      await played(
        script(
          { step: { name: "s", log: "did", returns: 41, into: "n" } },
          { step: { name: "t", returns: true } },
        ),
      ),
    ).toMatchObject({ log: ["did"], state: { n: 41 } })
  })

  test("an unknown step throws", async () => {
    await expect(played(script({ dance: true }))).rejects.toThrow(
      'does not know the step {"dance":true}',
    )
  })
})

test("withServices replaces each stand-in with the name of a service and keeps existing names", () => {
  const config = {
    agents: [
      {
        type: "CustomAgent",
        id: "flow",
        subAgents: [{ agentId: "a" }],
        script: [{ run: "a" }, { try: [{ run: "b" }], catch: [] }],
      },
      {
        id: "a",
        beforeModelCallback: [{}, { returns: 1 }, "guard"],
        before_tool_callbacks: [{ name: "x.y" }],
        state: { returns: 1 },
      },
    ],
    plugins: [
      { type: "SecurityPlugin", policyEngine: { throws: "down" } },
      { type: "SecurityPlugin", policyEngine: "rules" },
    ],
  }
  const { config: named, services } = withServices({ config, services: { guard: {} } }, [])
  expect(named).toEqual({
    agents: [
      {
        type: "CustomAgent",
        id: "flow",
        subAgents: [{ agentId: "a" }, { agentId: "b" }],
        service: "stand-in.agents.0",
      },
      {
        id: "a",
        beforeModelCallback: [
          { service: "stand-in.agents.1.beforeModelCallback.0" },
          { service: "stand-in.agents.1.beforeModelCallback.1" },
          "guard",
        ],
        before_tool_callbacks: [{ name: "x.y" }],
        state: { returns: 1 },
      },
    ],
    plugins: [
      { type: "SecurityPlugin", policyEngine: { service: "stand-in.plugins.0.policyEngine" } },
      { type: "SecurityPlugin", policyEngine: "rules" },
    ],
  })
  expect(Object.keys(services)).toHaveLength(5)
})
