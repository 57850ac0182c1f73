// Starts the Restate binary directly. npx and the command of the package are wrappers. If they are
// killed, the server keeps running.
import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export const workspace = fileURLToPath(new URL(".", import.meta.url))

/** Path of the binary after `npm ci --prefix engines/restate`. */
const binary = join(
  workspace,
  "node_modules",
  "@restatedev",
  `restate-server-${process.platform}-${process.arch}`,
  "bin",
  "restate-server",
)

export const isInstalled = () => existsSync(binary)

/** Returns this many free ports. */
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

/**
 * Returns the settings of one node, small enough for several nodes on one machine. `peers` are the
 * node-to-node addresses of the cluster, its own first.
 */
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

/** Returns a node that can be started, killed and restarted with the same data. */
function node(options, folder) {
  const { name, ports } = options
  const base = join(folder, name)
  const log = join(folder, `${name}.log`)
  mkdirSync(base, { recursive: true })
  const [ingress, admin, fabric] = ports.map((port) => `http://${here(port)}`)
  let child = null
  // Ends the server together with this program.
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
    /** Returns the number of partitions that the node leads, or null if it does not answer. */
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

/**
 * Returns nodes with their data in a folder, not yet started. Uses free ports, unless three are
 * passed for each node. One node is a server of its own. Three nodes are a cluster that tolerates
 * the loss of one.
 */
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

/** Registers the services at a URI with Restate. */
export const register = (admin, uri) => call(admin, "/deployments", "POST", { uri, force: true })

export const query = async (admin, sql) =>
  (await call(admin, "/query", "POST", { query: sql })).rows

export const cancelInvocation = (admin, id) => call(admin, `/invocations/${id}/cancel`, "PATCH")
