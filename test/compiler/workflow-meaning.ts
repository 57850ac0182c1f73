import type { WorkflowTree } from "../../src/compiler/2-resolve/agent-node.js"
import type { Hooks } from "../../src/machines/contract/agent-definition.js"

/** Returns the number of services of each callback. */
const counted = (hooks: unknown): unknown =>
  Object.entries(hooks as Hooks).map(([moment, { length }]) => [moment, length]) // nodes store `Hooks` under this key

/**
 * Returns the parts of a workflow that do not depend on its form, without locations, models, endpoints, service names
 * and inputs.
 */
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
