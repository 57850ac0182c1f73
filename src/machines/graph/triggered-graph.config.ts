import { graphMachineConfig } from "./graph-machine.config.js"

/**
 * The XState config of a workflow graph with `triggering: "each"`
 * (docs/semantics.md#one-run-for-each-trigger). When a node ends, it triggers the target nodes of
 * its outgoing edges. For each trigger, the target node runs once in a child actor.
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
