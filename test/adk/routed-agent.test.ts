import { describe, expect, test } from "vitest"
import type { AgentRouter, Event } from "agent-statecharts/adk"
import {
  InMemoryRunner,
  isRoutedAgent,
  LlmAgent,
  RoutedAgent,
  stringifyContent,
} from "agent-statecharts/adk"

const newMessage = { role: "user", parts: [{ text: "Go." }] }

const models = {
  good: { call: async ({ agent }: { readonly agent: string }) => ({ content: `I am ${agent}.` }) },
  broken: {
    call: async (): Promise<never> => {
      throw new Error("no power")
    },
  },
}

const llm = (name: string, model = "good") => new LlmAgent({ name, model })

async function play(agent: RoutedAgent): Promise<readonly string[]> {
  const runner = new InMemoryRunner({ agent, models })
  const events: Event[] = []
  for await (const event of runner.runEphemeral({ userId: "ada", newMessage })) events.push(event)
  return events.map((event) => `${event.author}: ${stringifyContent(event)}`)
}

describe("RoutedAgent", () => {
  test("a RoutedAgent runs the agent that the router chooses", async () => {
    const seen: unknown[] = []
    const router: AgentRouter = (agents, { userId }, error) => {
      seen.push([Object.keys(agents), userId, error])
      return "long"
    }
    const agents = { short: llm("a"), long: llm("b") }
    expect(await play(new RoutedAgent({ name: "desk", agents, router }))).toEqual(["b: I am b."])
    expect(seen).toEqual([[["short", "long"], "ada", undefined]])
  })

  test("after a failure, the router is called again with the failed keys and the error", async () => {
    const failures: unknown[] = []
    const router: AgentRouter = (_agents, _context, error) => {
      failures.push(error && [[...error.failedKeys], String(error.lastError).includes("no power")])
      return error === undefined ? "a" : "b"
    }
    const agent = new RoutedAgent({ name: "desk", agents: [llm("a", "broken"), llm("b")], router })
    expect(await play(agent)).toEqual(["b: I am b."])
    expect(failures).toEqual([undefined, [["a"], true]])
  })

  test("the run fails with the error of the agent if the router returns no key or a failed key", async () => {
    for (const next of [undefined, "a"]) {
      const router: AgentRouter = (_agents, _context, error) => (error === undefined ? "a" : next)
      const agent = new RoutedAgent({ name: "desk", agents: [llm("a", "broken")], router })
      await expect(play(agent)).rejects.toThrow(/no power/)
    }
  })

  test("the error lists the keys if the router chooses an agent that does not exist", async () => {
    for (const choice of [undefined, "c", "toString"]) {
      const agent = new RoutedAgent({
        name: "desk",
        agents: { a: llm("one"), b: llm("two") },
        router: () => choice,
      })
      await expect(play(agent)).rejects.toThrow(/"desk" chose .*keys: a, b/)
    }
  })

  test("the copy of a RoutedAgent contains copies of its agents", async () => {
    const agents = { x: llm("one"), y: llm("two") }
    const agent = new RoutedAgent({ name: "desk", agents, router: () => "y" })
    const copy = agent.clone({ name: "other" })
    expect(copy.name).toBe("other")
    expect(copy.subAgents.map(({ name }) => name)).toEqual(["one", "two"])
    expect(copy.findAgent("two")).not.toBe(agents.y)
    expect(copy.findAgent("two")?.parentAgent).toBe(copy)
    expect(await play(copy)).toEqual(["two: I am two."])
    expect(await play(agent.clone({ router: () => "x" }))).toEqual(["one: I am one."])
  })

  test("isRoutedAgent recognizes only RoutedAgents", () => {
    const agent = new RoutedAgent({ name: "desk", agents: [], router: () => "a" })
    expect([agent, llm("a"), {}, null].map(isRoutedAgent)).toEqual([true, false, false, false])
  })

  test("a missing router is refused", () => {
    // @ts-expect-error A router is required.
    expect(() => new RoutedAgent({ name: "desk", agents: [] })).toThrow(/"desk" has no router/)
  })
})
