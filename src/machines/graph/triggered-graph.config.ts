import { graphMachineConfig } from "./graph-machine.config.js"

/**
 * The statechart of a workflow graph with `triggering: "each"`
 * (docs/semantics.md#one-run-for-each-trigger). A node that ends triggers the targets of its edges.
 * Each trigger is one run of the target in a child actor.
 */
export const triggeredGraphConfig = graphMachineConfig(
  "triggeredGraph",
  [
    { guard: { type: "endsAs", params: { signal: "failed" } }, end: "failed" },
    { guard: { type: "endsAs", params: { signal: "limited" } }, end: "limited" },
    { guard: { type: "endsAs", params: { signal: "exited" } }, end: "exited" },
  ],
  { state: "collecting", action: "collectOutput", failed: "hasError" },
)
