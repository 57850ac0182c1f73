import { once } from "node:events"
import { networkInterfaces } from "node:os"
import { connect } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { WebSocket } from "ws"
import type {
  InspectRelay,
  InspectRelayOptions,
} from "../../../src/adapters/inspect/relay/index.js"
import { startInspectRelay } from "../../../src/adapters/inspect/relay/index.js"
import { eventually } from "../../support/eventually.js"

async function relayHere(options: InspectRelayOptions = {}): Promise<InspectRelay> {
  const relay = await startInspectRelay(options)
  onTestFinished(() => relay.close())
  return relay
}

async function client(
  url: string,
): Promise<{ readonly socket: WebSocket; readonly heard: string[] }> {
  const socket = new WebSocket(url)
  const heard: string[] = []
  socket.on("message", (data) => heard.push(String(data)))
  await once(socket, "open")
  return { socket, heard }
}

test("a message is sent to all other clients of its channel, and not to other channels", async () => {
  const relay = await relayHere()
  const [sender, viewer, other] = await Promise.all([
    client(relay.stately.url),
    client(relay.stately.url),
    client(relay.xstateInspect.url),
  ])
  sender.socket.send("one")
  await eventually(() => expect(viewer.heard).toEqual(["one"]))
  relay.stately.send("two")
  await eventually(() => expect([sender.heard, viewer.heard]).toEqual([["two"], ["one", "two"]]))
  expect(other.heard).toEqual([])
})

test("a new viewer receives the most recent messages, up to a limit", async () => {
  const relay = await relayHere({ remembered: 30 })
  for (let n = 0; n < 100; n++) relay.stately.send(`message ${String(n).padStart(2, "0")}`)
  const { heard } = await client(relay.stately.url)
  relay.stately.send("now")
  await eventually(() =>
    expect(heard).toEqual(["message 97", "message 98", "message 99", "now"].slice(-heard.length)),
  )
  expect(heard.length).toBeGreaterThanOrEqual(3)
})

test("the process receives the messages of a viewer", async () => {
  const relay = await relayHere()
  const heard: string[] = []
  relay.xstateInspect.onMessage((text) => heard.push(text))
  const { socket } = await client(relay.xstateInspect.url)
  socket.send('{"type":"xstate.inspecting"}')
  await eventually(() => expect(heard).toEqual(['{"type":"xstate.inspecting"}']))
})

test("a relay refuses connections without its secret path", async () => {
  const { page, stately } = await relayHere()
  const { origin, host } = new URL(page)
  expect((await fetch(page)).status).toBe(200)
  expect((await fetch(`${origin}/`)).status).toBe(404)
  expect(stately.url).toMatch(new RegExp(`^ws://${host}/[0-9a-f-]{36}/stately$`))
  const stranger = new WebSocket(`ws://${host}/stately`)
  const [error] = (await once(stranger, "error")) as [Error]
  expect(error.message).toContain("404")
})

test("a relay listens on localhost only", async () => {
  const { page } = await relayHere()
  const { hostname, port } = new URL(page)
  expect(hostname).toBe("127.0.0.1")
  const outside = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, family }) => !internal && family === "IPv4"),
  )
  for (const { address } of outside) {
    const socket = connect(Number(port), address)
    const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException]
    expect(error.code).toBe("ECONNREFUSED")
  }
})

test("the page of a relay shows the hosted viewer, and may only connect to the viewer and the relay", async () => {
  const { page } = await relayHere()
  const response = await fetch(page)
  const policy = response.headers.get("content-security-policy")
  expect(policy).toContain("frame-src https://stately.ai;")
  expect(policy).toContain(`connect-src ${new URL(page).origin.replace("http", "ws")}`)
  expect(await response.text()).toContain("https://stately.ai/inspect")
})

test("a relay fails with an error that contains the port if the port is in use", async () => {
  const { page } = await relayHere()
  await expect(startInspectRelay({ port: Number(new URL(page).port) })).rejects.toMatchObject({
    code: "service_unreachable",
    message: expect.stringContaining(new URL(page).port) as string,
  })
})

test("closing a relay closes its connections", async () => {
  const relay = await startInspectRelay()
  const { socket } = await client(relay.stately.url)
  const closed = once(socket, "close")
  await relay.close()
  expect((await closed)[0]).toBe(1001)
})
