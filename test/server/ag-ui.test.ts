import type { BaseEvent, Interrupt } from "@ag-ui/client"
import { HttpAgent } from "@ag-ui/client"
import { EventSchema } from "@ag-ui/core/schemas"
import { describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { TestServer } from "./test-server.js"
import { examplesServed } from "./test-server.js"

describe.skipIf(!isBuilt)("AG-UI with its official client", () => {
  let server: TestServer
  examplesServed((started) => (server = started))

  interface Seen {
    readonly agent: HttpAgent
    readonly events: BaseEvent[]
    run(parameters?: Parameters<HttpAgent["runAgent"]>[0]): Promise<readonly string[]>
  }

  /** Creates an agent that records its events, and checks each event against the schema of the protocol. */
  function agentFor(workflow: string, message?: string): Seen {
    const agent = new HttpAgent({
      url: `${server.origin}/ag-ui/${workflow}`,
      headers: { authorization: "Bearer test-token" },
      ...(message === undefined
        ? {}
        : { initialMessages: [{ id: "m1", role: "user", content: message }] }),
    })
    const events: BaseEvent[] = []
    return {
      agent,
      events,
      async run(parameters) {
        const from = events.length
        await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event) })
        for (const event of events.slice(from))
          expect(EventSchema.safeParse(event).error, JSON.stringify(event)).toBeUndefined()
        return events.slice(from).map(({ type }) => type)
      },
    }
  }

  const interruptOf = (agent: HttpAgent): Interrupt => agent.pendingInterrupts[0] as Interrupt

  test("a run emits its steps, its messages, and a state snapshot at the end", async () => {
    const { agent, run } = agentFor("content-loop", "Write about the harbour.")
    const types = await run()
    expect(types[0]).toBe("RUN_STARTED")
    expect(types.slice(-2)).toEqual(["STATE_SNAPSHOT", "RUN_FINISHED"])
    expect(types.filter((type) => type === "STEP_STARTED").length).toBe(
      types.filter((type) => type === "STEP_FINISHED").length,
    )
    expect(agent.messages.filter(({ role }) => role === "assistant").length).toBeGreaterThan(2)
    expect(Object.keys(agent.state as object).length).toBeGreaterThan(0)
    expect((await server.ask(`/v1/runs/${agent.threadId}`)).body).toMatchObject({
      status: "completed",
    })
  })

  test("an approval interrupts the run, the first answer resumes it, and a second answer is rejected", async () => {
    const { agent, run } = agentFor("human-approval", "Pay what we owe Nordlicht GmbH.")
    expect(await run()).toContain("TOOL_CALL_RESULT")
    const first = interruptOf(agent)
    expect(first).toMatchObject({
      reason: "tool_call",
      message: expect.stringContaining("1,940"),
      toolCallId: "payments_agent:pay-1",
      responseSchema: { required: ["approved"] },
    })
    const second = await run({
      resume: [
        {
          interruptId: first.id,
          status: "resolved",
          payload: { approved: true, args: { invoice: "INV-2291", amount: 1840, iban: "DE02" } },
        },
      ],
    })
    // The approved call was announced when it was proposed. This event announces the next call.
    expect(second.filter((type) => type === "TOOL_CALL_START")).toHaveLength(1)
    expect(second.filter((type) => type === "TOOL_CALL_RESULT")).toHaveLength(1)
    await run({ resume: [{ interruptId: interruptOf(agent).id, status: "cancelled" }] })
    expect(agent.pendingInterrupts).toEqual([])
    expect(agent.messages.at(-1)).toMatchObject({
      role: "assistant",
      content: expect.stringContaining("Not paid"),
    })
    expect(agent.state).toMatchObject({ payment_report: expect.stringContaining("1,840") })
  })

  test("a question interrupts the run, a message continues it, and a later message starts another run", async () => {
    const { agent, events, run } = agentFor("agent-handoff", "Charged twice, and the app crashes.")
    await run()
    expect(interruptOf(agent)).toMatchObject({ reason: "input_required" })
    await run({
      resume: [{ interruptId: interruptOf(agent).id, status: "resolved", payload: "granted" }],
    })
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } })
    agent.addMessage({ id: "m2", role: "user", content: "It stays open now." })
    await run()
    expect(agent.messages.at(-1)).toMatchObject({
      content: expect.stringContaining("Have a nice day"),
    })
    // The run has ended, so this message starts another run in the same thread.
    agent.addMessage({ id: "m3", role: "user", content: "One more thing." })
    await run()
    expect((await server.ask(`/v1/runs/${agent.threadId}.2`)).body).toMatchObject({
      status: "waiting",
    })
  })

  test("an unknown interrupt and a thread of another workflow are reported as RUN_ERROR", async () => {
    const { agent, events, run } = agentFor("human-approval", "Pay.")
    await run()
    agent.pendingInterrupts = []
    await run({ resume: [{ interruptId: "other", status: "resolved" }] }).catch(() => [])
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "request_unknown" })
    expect((await server.ask(`/v1/runs/${agent.threadId}`)).body).toMatchObject({
      status: "waiting",
    })
    const other = new HttpAgent({
      url: `${server.origin}/ag-ui/content-loop`,
      threadId: agent.threadId,
      headers: { authorization: "Bearer test-token" },
      initialMessages: [{ id: "m", role: "user", content: "Hello" }],
    })
    const last: BaseEvent[] = []
    await other.runAgent({}, { onEvent: ({ event }) => void last.push(event) }).catch(() => {})
    expect(last.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "run_exists" })
  })

  test("a client without the token is rejected with status 401", async () => {
    const stranger = new HttpAgent({ url: `${server.origin}/ag-ui/human-approval` })
    await expect(stranger.runAgent()).rejects.toThrow(/401/)
  })
})
