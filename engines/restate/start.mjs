// Starts Restate on this machine until it is interrupted: node engines/restate/start.mjs [--nodes 3] [--data FOLDER]
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { isInstalled, restateNodes, workspace } from "./server.mjs"

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "1" },
    data: { type: "string", default: "restate-data" },
  },
})
if (!isInstalled()) throw new Error(`the server is not there yet: npm ci --prefix ${workspace}`)

const count = Number(values.nodes)
// Restate's default ports. The other nodes use ports that are higher by 10,000 and 20,000.
const ports = Array.from({ length: count }, (_, n) =>
  [8080, 9070, 5122].map((port) => port + 10_000 * n),
).flat()
const nodes = await restateNodes(count, resolve(values.data), { partitions: 8, ports })
for (const node of nodes) node.start()
await Promise.all(nodes.map((node) => node.ready()))
for (const { name, ingress, admin, pid } of nodes)
  console.log(
    `${name}: requests to ${ingress}, services and looking in at ${admin}, process ${pid}`,
  )

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(
    signal,
    () => void Promise.all(nodes.map((node) => node.kill("SIGTERM"))).then(() => process.exit(0)),
  )
}
