import assert from "node:assert/strict"
import { createServer } from "node:http"
import { chartOf, side } from "./charts.mjs"
import { invocationOf } from "./invocation.mjs"
import { until } from "./patiently.mjs"

/** Starts a run that asks several people in parallel, and waits until all of their requests are pending. */
async function asking(world, runId, count) {
  const people = Array.from({ length: count }, (_, n) => ({
    type: "HumanAgent",
    id: `person_${n}`,
    prompt: "Well?",
    outputKey: `said_${n}`,
  }))
  await world.ask((runs) =>
    runs.start(runId, {
      chart: chartOf({ rootAgentId: "all", agents: [side("all", people), ...people] }),
    }),
  )
  const requests = await until(async () => {
    const { pending } = await world.ask((runs) => runs.status(runId))
    return pending.length === count ? pending : null
  })
  return requests
}

/** The trials by name. A trial throws an error if it fails. */
export const messageTrials = {
  async "messages that arrive at the same time are all processed, each once"(world, name) {
    const requests = await asking(world, name, 12)
    await Promise.all(
      requests.map(({ id }, n) => world.runs().give(name, { type: "answer", id, value: n })),
    )
    const { status, state } = await world.runs().result(name)
    assert.equal(status, "completed")
    const { refused } = await world.runs().status(name)
    assert.deepEqual(refused, [])
    requests.forEach(({ agent }, n) => assert.equal(state[agent.replace("person", "said")], n))
  },
  async "the sender of an invalid message receives an error, and so do three of four senders of an answer"(
    world,
    name,
  ) {
    const [first] = await asking(world, name, 2)
    await assert.rejects(world.runs().give(name, { type: "answer", id: "nobody#0", value: 1 }), {
      code: "request_unknown",
    })
    await assert.rejects(world.runs().give(name, { type: "approve", id: first.id }), {
      code: "input_refused",
    })
    await assert.rejects(world.runs().give(name, { type: "shout" }), { code: "input_refused" })
    // All four answers pass the first check, because the request is still pending. The run accepts the answer that arrives first.
    const given = await Promise.allSettled(
      Array.from({ length: 4 }, (_, value) =>
        world.runs().give(name, { type: "answer", id: first.id, value }),
      ),
    )
    const refusals = given.filter(({ status }) => status === "rejected")
    assert.equal(refusals.length, 3)
    assert.deepEqual([...new Set(refusals.map(({ reason }) => reason.code))], ["request_unknown"])
    const { pending } = await world.runs().status(name)
    assert.equal(pending.length, 1)
    await world.runs().give(name, { type: "cancel" })
    assert.equal((await world.runs().result(name)).status, "cancelled")
    await assert.rejects(world.runs().give(name, { type: "cancel" }), { code: "run_finished" })
  },
  async "a message that is sent several times with the same key is processed once"(world, name) {
    const [first] = await asking(world, name, 2)
    const give = () =>
      world
        .runs()
        .give(
          name,
          { type: "answer", id: first.id, value: 1 },
          { idempotencyKey: `${name}/answer` },
        )
    await Promise.all([give(), give(), give()])
    const snapshot = await world.runs().snapshot(name)
    assert.equal(snapshot.state[first.agent.replace("person", "said")] ?? 1, 1)
    await world.runs().give(name, { type: "end" })
    const { refused, status } = (await world.runs().result(name), await world.runs().status(name))
    assert.deepEqual({ refused, status }, { refused: [], status: "completed" })
  },
  async "a run that only waits for a person is suspended, and continues in a new process"(
    world,
    name,
  ) {
    const [first] = await asking(world, name, 1)
    await until(async () =>
      (await invocationOf(world, name)).status === "suspended" ? true : null,
    )
    await world.service.kill()
    await world.service.start()
    await world.ask((runs) => runs.give(name, { type: "answer", id: first.id, value: "late" }))
    assert.equal((await world.runs().result(name)).state.said_0, "late")
  },
  async "a call that takes longer than the inactivity timeout is made once, and the run continues with its result"(
    world,
    name,
  ) {
    const keys = []
    const server = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"])
      setTimeout(() => response.end(JSON.stringify({ content: "late" })), 4_500)
      request.resume()
    })
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    try {
      const agents = [
        {
          type: "LlmAgent",
          id: "slow",
          httpConfig: { url: `http://127.0.0.1:${server.address().port}/`, method: "POST" },
        },
        { type: "SequentialAgent", id: "all", subAgents: [{ agentId: "slow" }] },
      ]
      await world.runs().start(name, { chart: chartOf({ rootAgentId: "all", agents }) })
      const { status, text } = await world.runs().result(name)
      assert.deepEqual(
        { status, text, times: keys.length },
        { status: "completed", text: "late", times: 1 },
      )
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  async "a host function that waits continues in another process, and its steps are not repeated"(
    world,
    name,
  ) {
    let drawn = 0
    const counter = createServer((request, response) => response.end(String(++drawn)))
    await new Promise((resolve) => counter.listen(0, "127.0.0.1", resolve))
    try {
      const state = { counter: `http://127.0.0.1:${counter.address().port}/` }
      const chart = chartOf({
        agent_class: "CustomAgent",
        name: "clerk",
        state,
        sub_agents: [{ name: "listener", model: "echo" }],
      })
      await world.runs().start(name, { chart, prompt: "next" })
      const { pending } = await until(async () => {
        const status = await world.ask((runs) => runs.status(name))
        return status.pending.length === 1 ? status : null
      })
      await world.service.kill()
      await world.service.start()
      await world.ask((runs) =>
        runs.give(name, { type: "answer", id: pending[0].id, value: "mine" }),
      )
      const { status, state: after } = await world.runs().result(name)
      assert.deepEqual(
        { status, drawn: after.drawn, times: drawn },
        { status: "completed", drawn: ["1", "mine", "2", after.drawn[3]], times: 2 },
      )
    } finally {
      counter.closeAllConnections()
      counter.close()
    }
  },
  async "a conversation is idle between its turns, and continues with the next message"(
    world,
    name,
  ) {
    const order = {
      chart: chartOf({ agent_class: "LlmAgent", name: "listener", model: "echo" }),
      prompt: "one",
      conversation: true,
    }
    const rested = (text) =>
      until(async () => {
        const status = await world.ask((runs) => runs.status(name))
        return status.status === "completed" && status.text === text ? status : null
      })
    await world.runs().start(name, order)
    await rested("1: one")
    await world.runs().give(name, { type: "say", content: "two" })
    assert.equal((await rested("2: two")).isOver, false)
    await world.service.kill()
    await world.service.start()
    await world.ask((runs) => runs.give(name, { type: "say", content: "three" }))
    await rested("3: three")
    await world.runs().give(name, { type: "end" })
    const { status, text } = await world.runs().result(name)
    assert.deepEqual({ status, text }, { status: "completed", text: "3: three" })
    // Without `conversation`, a run ends after its first turn.
    await world.runs().start(`${name}-turn`, { ...order, conversation: false })
    assert.equal((await world.runs().result(`${name}-turn`)).text, "1: one")
    await assert.rejects(world.runs().result(`${name}-nobody`), { code: "run_unknown" })
  },
  async "a run that is started several times is executed once"(world, name) {
    const people = [{ type: "HumanAgent", id: "boss", prompt: "Well?" }]
    const order = { chart: chartOf({ rootAgentId: "boss", agents: people }) }
    const started = await Promise.all([1, 2, 3].map(() => world.runs().start(name, order)))
    assert.deepEqual(started.map(({ isNew }) => isNew).sort(), [false, false, true])
    await world.ask((runs) => runs.give(name, { type: "cancel" }))
    await world.runs().result(name)
    await world.runs().start(`${name}-bad`, { chart: {} })
    await assert.rejects(world.runs().result(`${name}-bad`), { code: "chart_invalid" })
  },
}
