import { describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { Answer, TestServer } from "./test-server.js"
import { examplesServed } from "./test-server.js"

describe.skipIf(!isBuilt)("the queries and signals of Graph Compose", () => {
  let server: TestServer
  examplesServed((started) => (server = started))

  const start = async (workflow: string): Promise<string> => {
    const { body } = await server.ask("/v1/runs", { method: "POST", body: { workflow } })
    await server.ask(`/v1/runs/${String(body["runId"])}/result?wait=30`)
    return String(body["runId"])
  }

  const query = async (id: string, name: string): Promise<unknown> => {
    const { status, body } = await server.ask(
      `/api/v1/workflows/${id}/adk/support_agent/queries/${name}`,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      data: { workflowId: id, nodeId: "support_agent", queryName: name },
    })
    return (body["data"] as { readonly queryResult: unknown }).queryResult
  }

  const signal = (id: string, name: string, body: object = {}): Promise<Answer> =>
    server.ask(`/api/v1/workflows/${id}/adk/support_agent/signals/${name}`, {
      method: "POST",
      body,
    })

  test("queries return the state of a graph, and a signal confirms its waiting node", async () => {
    const { body } = await server.ask("/v1/runs", {
      method: "POST",
      body: { workflow: "customer-enrichment", context: { minimumScore: 50 } },
    })
    const id = String(body["runId"])
    await server.ask(`/v1/runs/${id}/result?wait=30`)
    const ask = async (path: string): Promise<unknown> => {
      const { status, body: answer } = await server.ask(`/api/v1/workflows/${id}/${path}`)
      expect(status).toBe(200)
      return answer["data"]
    }
    expect(await ask("queries/getWaitingConfirmationNodeId")).toMatchObject({
      queryResult: "approve_update",
    })
    expect(await ask("queries/getExecutionState")).toMatchObject({
      queryResult: {
        context: { list: "spring-leads", minimumScore: 50 },
        executed: ["get_customers", "each_customer", "each_customer_end"],
      },
    })
    expect(await ask("queries/getNodeState?nodeId=update_crm")).toMatchObject({
      queryResult: "pending",
    })
    expect(await ask("forEach/each_customer/1")).toMatchObject({
      child: { index: 1, status: "completed", results: { no_company: { data: { noted: true } } } },
    })
    const confirm = (body: object): Promise<Answer> =>
      server.ask(`/api/v1/workflows/${id}/signals/confirmNode`, { method: "POST", body })
    expect(await confirm({ nodeId: "update_crm" })).toMatchObject({ status: 409 })
    expect(await confirm({ nodeId: "approve_update" })).toMatchObject({ status: 200 })
    await server.ask(`/v1/runs/${id}/result?wait=30`)
    expect(await ask("queries/getNodeResult?nodeId=update_crm")).toMatchObject({
      queryResult: { data: { updated: 2 }, statusCode: 200 },
    })
  })

  test("queries return the conversation and the pending confirmations, and a signal answers them", async () => {
    const id = await start("human-approval")
    expect(await query(id, "is_waiting_for_confirmation")).toBe(true)
    expect(await query(id, "get_pending_confirmation_details")).toEqual({
      "payments_agent#1": expect.objectContaining({
        request_id: "payments_agent#1",
        action: expect.stringContaining("1,940"),
        tool_calls: [expect.objectContaining({ id: "pay-1", function_name: "pay_invoice" })],
      }),
    })
    expect(
      await signal(id, "confirm_action", { request_id: "payments_agent#1", confirmed: true }),
    ).toMatchObject({ status: 200, body: { success: true } })
    await server.ask(`/v1/runs/${id}/result?wait=30`)
    expect(
      await signal(id, "confirm_action", { confirmed: false, reason: "call them" }),
    ).toMatchObject({ status: 200 })
    await server.ask(`/v1/runs/${id}/result?wait=30`)
    expect(await query(id, "is_waiting_for_confirmation")).toBe(false)
    expect(await query(id, "get_pending_confirmation_details")).toBeNull()
    expect(await query(id, "get_latest_orchestration_result")).toMatchObject({
      workflow_id: id,
      final_response_text: expect.stringContaining("Not paid"),
      session_state: { payment_report: expect.any(String) },
      exit_flow: true,
      wait_for_user_input: false,
      orchestration_cycle_count: 1,
      terminated_by_global_limit: false,
      error_details: null,
    })
    const events = (await query(id, "get_session_events")) as readonly {
      readonly role: string
      readonly author: string
      readonly content: { readonly parts: readonly object[] }
    }[]
    expect(events[0]).toMatchObject({
      role: "user",
      author: "user",
      content: { parts: [{ text: "Pay what we owe Nordlicht GmbH." }] },
    })
    expect(events.flatMap(({ content }) => content.parts)).toContainEqual({
      function_call: {
        id: "invoices-1",
        name: "open_invoices",
        args: { supplier: "Nordlicht GmbH" },
      },
    })
    expect(await query(id, "get_latest_invocation_trace")).toMatchObject({
      workflow_metadata: {
        orchestration_cycle_count: 1,
        conversation_end_requested: true,
        user_message_count: 1,
        termination_status: "completed",
      },
      agents_executed: ["payments_agent"],
      tools_used: ["open_invoices", "pay_invoice"],
    })
  })

  test("the orchestration result lists the failed tool calls", async () => {
    const id = await start("retries-and-errors")
    expect(await query(id, "get_latest_orchestration_result")).toMatchObject({
      tool_failures: [{ tool: "bus_times", call_id: "bus-1", agent_id: "bus_agent" }],
    })
  })

  test("signals answer a HumanAgent, send a message to a waiting agent, and end the conversation", async () => {
    const id = await start("agent-handoff")
    expect(
      await signal(id, "confirm_action", { confirmed: true, response: "granted" }),
    ).toMatchObject({ status: 200 })
    await server.ask(`/v1/runs/${id}/result?wait=30`)
    expect(await query(id, "get_latest_orchestration_result")).toMatchObject({
      wait_for_user_input: true,
    })
    expect(await signal(id, "receive_message", { message: "It stays open now" })).toMatchObject({
      status: 200,
    })
    expect(JSON.stringify(await query(id, "get_session_events"))).toContain("It stays open now")
    expect(await signal(id, "end_conversation")).toMatchObject({ status: 200 })
    await server.ask(`/v1/runs/${id}/result?wait=30`)
    expect(await query(id, "get_latest_invocation_trace")).toMatchObject({
      workflow_metadata: { termination_status: "completed" },
    })
  })

  test("unknown runs, queries and requests are rejected, and so are invalid signals", async () => {
    const id = await start("human-approval")
    expect(
      await server.ask("/api/v1/workflows/none/adk/a/queries/get_session_events"),
    ).toMatchObject({ status: 404, body: { code: "run_unknown" } })
    expect(await server.ask(`/api/v1/workflows/${id}/adk/a/queries/constructor`)).toMatchObject({
      status: 404,
      body: { code: "unknown_route" },
    })
    expect(
      await signal(id, "confirm_action", { request_id: "other", confirmed: true }),
    ).toMatchObject({ status: 409, body: { code: "request_unknown" } })
    expect(await signal(id, "confirm_action", { confirmed: "yes" })).toMatchObject({ status: 400 })
    expect(await signal(id, "confirm_action", {})).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("confirmed") },
    })
    expect(await signal(id, "receive_message", { message: "hello" })).toMatchObject({
      status: 409,
      body: { code: "request_unknown" },
    })
    await signal(id, "end_conversation")
  })
})
