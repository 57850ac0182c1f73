import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { ServiceDeclaration } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, chartOf, interpreters, play } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

type Fields = Readonly<Record<string, unknown>>

const amount = {
  type: "object",
  properties: { amount: { type: "number" } },
  required: ["amount"],
}

/** A graph that orders, pays and reports. `pay` needs the approval of a person. */
function payments(
  tool: Fields = {},
  node: Fields = { tool: "pay" },
  services: readonly ServiceDeclaration[] = [],
): AgentChart {
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "flow",
      agents: [
        {
          type: "Workflow",
          name: "flow",
          edges: [["START", "order", "payment", "report"]],
        },
        { type: "FunctionNode", name: "order" },
        { type: "ToolNode", name: "payment", ...node },
        { type: "FunctionNode", name: "report" },
      ],
      globalTools: [
        {
          type: "FunctionTool",
          id: "pay",
          service: "bank.transfer",
          requireConfirmation: true,
          ...tool,
        },
      ],
      initialUserInput: "go",
    },
    { dialect: "adk", ...(services.length > 0 && { services }) },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

function bank() {
  const paid: unknown[] = []
  const seen: unknown[] = []
  const transfer: HostFunction = (host, args) => {
    paid.push(args)
    seen.push({ tool: host.tool, callId: host.callId })
    return { receipt: 7 }
  }
  const services: Record<string, HostFunction> = {
    order: () => ({ amount: 10_000 }),
    "bank.transfer": transfer,
    pay: transfer,
    report: (_, input) => JSON.stringify(input),
  }
  return { paid, seen, services }
}

describe.each(interpreters)("a ToolNode whose tool requires confirmation (%s)", (interpreter) => {
  test("requests an approval before it calls the tool, with the id of the tool and its arguments", async () => {
    const { paid, seen, services } = bank()
    const { controls, events } = begin(interpreter, payments(), { services })
    const rested = await controls.whenSettled()
    expect(rested.status).toBe("waiting")
    expect(paid).toEqual([])
    const [request] = controls.pending()
    expect(request).toMatchObject({
      kind: "approval",
      agent: "payment",
      path: "flow/payment",
      toolCalls: [{ name: "pay", args: { amount: 10_000 } }],
    })
    await controls.approve(request?.id ?? "")
    expect(await controls.whenSettled()).toMatchObject({
      status: "completed",
      text: '{"receipt":7}',
    })
    expect(paid).toEqual([{ amount: 10_000 }])
    expect(seen).toEqual([{ tool: "pay", callId: request?.toolCalls?.[0]?.id }])
    expect(events.filter(({ type }) => type === "human.asked")).toHaveLength(1)
  })

  test("passes the arguments that a person has edited to the tool", async () => {
    const { paid, services } = bank()
    const { controls } = begin(interpreter, payments({ parameters: amount }), { services })
    await controls.whenSettled()
    await controls.approve(controls.pending()[0]?.id ?? "", { args: { amount: 5 } })
    expect((await controls.whenSettled()).status).toBe("completed")
    expect(paid).toEqual([{ amount: 5 }])
  })

  test("rejects edited arguments that do not match the parameters, and keeps waiting", async () => {
    const { paid, services } = bank()
    const { controls } = begin(interpreter, payments({ parameters: amount }), { services })
    await controls.whenSettled()
    const id = controls.pending()[0]?.id ?? ""
    expect(() => controls.approve(id, { args: { amount: "all" } })).toThrow(
      expect.objectContaining({ code: "input_refused" }),
    )
    expect(controls.pending()).toHaveLength(1)
    controls.approve(id, { args: { amount: 3 } })
    expect((await controls.whenSettled()).status).toBe("completed")
    expect(paid).toEqual([{ amount: 3 }])
  })

  test("returns a rejection as its output without calling the tool", async () => {
    const { paid, services } = bank()
    const { controls } = begin(interpreter, payments(), { services })
    await controls.whenSettled()
    await controls.reject(controls.pending()[0]?.id ?? "", "too much")
    expect(await controls.whenSettled()).toMatchObject({
      status: "completed",
      text: '{"error":"rejected by a person: too much"}',
    })
    expect(paid).toEqual([])
  })

  test("is stopped if the run is cancelled while it waits", async () => {
    const { paid, services } = bank()
    const { controls } = begin(interpreter, payments(), { services })
    await controls.whenSettled()
    await controls.cancel()
    expect((await controls.whenSettled()).status).toBe("cancelled")
    expect(paid).toEqual([])
  })
})

describe("a request for the approval of a ToolNode", () => {
  test("is the same after a restart, and its answer runs the tool once", async () => {
    const { paid, services } = bank()
    const journal = memoryJournal()
    const first = createRunner({ services, journal }).start(payments(), { runId: "r" })
    await first.whenSettled()
    const open = first.pending()
    const stored = memoryJournal(JSON.parse(JSON.stringify(journal.toJSON())))
    const again = await createRunner({ services, journal: stored }).resume("r")
    await again.whenSettled()
    expect(again.pending()).toEqual(open)
    await again.approve(open[0]?.id ?? "")
    expect((await again.whenSettled()).status).toBe("completed")
    expect(paid).toEqual([{ amount: 10_000 }])
  })

  test("expires as a rejection, or fails the run with onExpiry fail", async () => {
    const { paid, services } = bank()
    const afterAnHour = async (tool: Fields) => {
      const clock = simulatedClock()
      const both = interpreters.map((interpreter) =>
        begin(interpreter, payments({ expiresIn: "1h", ...tool }), { services, clock }),
      )
      await clock.runUntilIdle()
      const [run, actor] = both.map(({ controls }) => controls.snapshot())
      expect({ ...actor, runId: "" }).toEqual({ ...run, runId: "" })
      return run
    }
    expect(await afterAnHour({})).toMatchObject({
      status: "completed",
      text: '{"error":"rejected by a person: nobody answered in time"}',
    })
    expect(await afterAnHour({ onExpiry: "fail" })).toMatchObject({
      status: "failed",
      error: { code: "request_expired", agent: "payment" },
    })
    expect(paid).toEqual([])
  })

  test("is created for a service that is declared with requireConfirmation", async () => {
    const { paid, services } = bank()
    const declared: ServiceDeclaration[] = [
      { name: "bank.transfer", kind: "tool", shownAs: "wire", requireConfirmation: true },
    ]
    const chart = payments({}, { toolCode: "bank.transfer" }, declared)
    const { controls } = begin("run", chart, { services })
    expect((await controls.whenSettled()).status).toBe("waiting")
    expect(controls.pending()[0]?.toolCalls?.[0]?.name).toBe("wire")
    expect(paid).toEqual([])
  })
})

describe.each(interpreters)("a node of a graph that throws (%s)", (interpreter) => {
  const chart = (service?: string): AgentChart =>
    chartOf({
      agentClass: "Workflow",
      name: "flow",
      edges: [["START", "check"]],
      nodes: [{ agentClass: "FunctionNode", name: "check", ...(service && { service }) }],
    })
  const boom = () => {
    throw new Error("boom")
  }

  test("the error names the failed node and its service", async () => {
    const services = { "my.func": boom }
    const { rested } = await play(interpreter, chart("my.func"), { services })
    expect(rested.error).toMatchObject({
      agent: "check",
      message: 'the node "check" failed: "my.func" failed: boom',
    })
  })

  test("the error names the failed node once if its service has the same name", async () => {
    const { rested } = await play(interpreter, chart(), { services: { check: boom } })
    expect(rested.error?.message).toBe('the node "check" failed: boom')
  })
})
