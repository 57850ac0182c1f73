// Starts Restate servers as the binary itself: npx and the package's own command are wrappers, which leave the server behind when they are killed.
import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export const workspace = fileURLToPath(new URL(".", import.meta.url))

/** Where the server is once `npm ci --prefix engines/restate` has been run. */
const binary = join(
  workspace,
  "node_modules",
  "@restatedev",
  `restate-server-${process.platform}-${process.arch}`,
  "bin",
  "restate-server",
)

export const isInstalled = () => existsSync(binary)

/** As many ports as are asked for, free a moment ago. */
export async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer()
      return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)))
    }),
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const here = (port) => `127.0.0.1:${port}`

/** What one node is told, small enough for several on one machine. `peers` are the node-to-node addresses of a cluster, its own first. */
function settings({ name, cluster, ports, peers, isFirst, partitions }) {
  const [ingress, admin, node] = ports
  return {
    RESTATE_NODE_NAME: name,
    RESTATE_CLUSTER_NAME: cluster,
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_BIND_ADDRESS: here(node),
    RESTATE_ADVERTISED_ADDRESS: `http://${here(node)}/`,
    RESTATE_INGRESS__BIND_ADDRESS: here(ingress),
    RESTATE_INGRESS__ADVERTISED_ADDRESS: `http://${here(ingress)}/`,
    RESTATE_ADMIN__BIND_ADDRESS: here(admin),
    RESTATE_ADMIN__ADVERTISED_ADDRESS: `http://${here(admin)}/`,
    RESTATE_DEFAULT_NUM_PARTITIONS: String(partitions),
    RESTATE_DEFAULT_REPLICATION: String(Math.min(2, peers.length)),
    RESTATE_AUTO_PROVISION: String(isFirst),
    RESTATE_METADATA_CLIENT__ADDRESSES: `[${peers.map((peer) => `"http://${peer}/"`).join(",")}]`,
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "128MiB",
    RESTATE_ADMIN__DISABLE_WEB_UI: "true",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_FILTER: "warn",
    RESTATE_LOG_DISABLE_ANSI_CODES: "true",
  }
}

/** A node that can be started, killed and started again on the same data. */
function node(options, folder) {
  const { name, ports } = options
  const base = join(folder, name)
  const log = join(folder, `${name}.log`)
  mkdirSync(base, { recursive: true })
  const [ingress, admin, fabric] = ports.map((port) => `http://${here(port)}`)
  let child = null
  // Whatever ends this program, no server is left behind.
  process.once("exit", () => child?.kill("SIGKILL"))

  const ended = (process) =>
    new Promise((resolve) =>
      process.exitCode !== null || process.signalCode !== null
        ? resolve()
        : process.once("exit", resolve),
    )

  return {
    name,
    ingress,
    admin,
    log: () => (existsSync(log) ? readFileSync(log, "utf8") : ""),
    get pid() {
      return child?.pid
    },
    start() {
      const out = openSync(log, "a")
      child = spawn(binary, ["--no-logo", "--base-dir", base], {
        env: { ...process.env, ...settings(options) },
        stdio: ["ignore", out, out],
      })
      closeSync(out)
    },
    async kill(signal = "SIGKILL") {
      if (child === null) return
      const dying = child
      child = null
      dying.kill(signal)
      await ended(dying)
    },
    /** How many partitions it leads; null while it does not say. */
    async leads() {
      const text = await fetch(`${fabric}/metrics`).then(
        (answer) => answer.text(),
        () => "",
      )
      const [, count] = /^restate_num_active_partition_leaders\S* (\d+)/m.exec(text) ?? []
      return count === undefined ? null : Number(count)
    },
    /** Waits until the node answers. */
    async ready(withinMs = 60_000) {
      for (const until = Date.now() + withinMs; Date.now() < until; await sleep(50)) {
        if (child !== null && child.exitCode !== null)
          throw new Error(
            `the server ${name} has ended with code ${child.exitCode}: ${this.log().slice(-2_000)}`,
          )
        const healthy = await Promise.all(
          [ingress, admin].map((address) =>
            fetch(`${address}${address === ingress ? "/restate/health" : "/health"}`).then(
              (answer) => answer.ok,
              () => false,
            ),
          ),
        )
        if (healthy.every(Boolean)) return
      }
      throw new Error(
        `the server ${name} was not ready after ${withinMs} ms: ${this.log().slice(-2_000)}`,
      )
    },
  }
}

/** Nodes with their data in a folder, not started yet, on free ports unless three are given for each. One is a server of its own, three are a cluster that stands the loss of one. */
export async function restateNodes(count, folder, { partitions, ports: given }) {
  const ports = given ?? (await freePorts(3 * count))
  const portsOf = (n) => ports.slice(3 * n, 3 * n + 3)
  const addresses = Array.from({ length: count }, (_, n) => here(portsOf(n)[2]))
  return Array.from({ length: count }, (_, n) =>
    node(
      {
        name: `node-${n + 1}`,
        cluster: "trial",
        ports: portsOf(n),
        peers: [addresses[n], ...addresses.filter((_, other) => other !== n)],
        isFirst: n === 0,
        partitions,
      },
      folder,
    ),
  )
}

async function call(address, path, method, body, accept = "application/json") {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { "content-type": "application/json", accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${address}${path} answered ${answer.status}: ${text}`)
  return text === "" ? null : JSON.parse(text)
}

/** Tells Restate where services are. */
export const register = (admin, uri) => call(admin, "/deployments", "POST", { uri, force: true })

export const query = async (admin, sql) =>
  (await call(admin, "/query", "POST", { query: sql })).rows

export const cancelInvocation = (admin, id) => call(admin, `/invocations/${id}/cancel`, "PATCH")
