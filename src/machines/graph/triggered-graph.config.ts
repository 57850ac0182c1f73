import { graphMachineConfig } from "./graph-machine.config.js"

/**
 * The statechart of a workflow graph with `triggering: "each"`
 * (docs/semantics.md#one-run-for-each-trigger). When a node ends, it triggers the target nodes of
 * its edges. Each trigger is one run of the target node in a child actor.
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
