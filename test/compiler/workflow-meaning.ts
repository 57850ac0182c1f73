import type { WorkflowTree } from "../../src/compiler/2-resolve/agent-node.js"
import type { Hooks } from "../../src/machines/contract/agent-definition.js"

/** How many services are called at each moment. */
const counted = (hooks: unknown): unknown =>
  Object.entries(hooks as Hooks).map(([moment, { length }]) => [moment, length]) // what the nodes have under this key

/** What two forms of one workflow have in common: everything but places, names of services and what a run starts with. */
export function meaning(found: WorkflowTree): unknown {
  const without = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) =>
        ["pointer", "model", "endpoint"].includes(key)
          ? undefined
          : key === "hooks" && inner !== null
            ? counted(inner)
            : inner,
      ),
    )
  const sorted = (nodes: ReadonlyMap<string, unknown>) =>
    [...nodes].sort(([one], [other]) => (one < other ? -1 : 1))
  return without([
    found.id,
    found.dialect,
    found.root,
    sorted(found.agents),
    sorted(found.tools),
    found.settings,
  ])
}
