import type { StateLook } from "../picture/picture.js"

/**
 * The icon of each kind of state, as SVG path data in a 16 by 16 grid. The icons were drawn for
 * this project. A choice state has no icon, because it is drawn as a diamond.
 */
const icons: Readonly<Record<StateLook, string>> = {
  // A speech bubble with a spark.
  LlmAgent: "M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z M8 5v4.5 M5.8 7.2h4.4",
  // Head and shoulders.
  HumanAgent:
    "M8 8a2.6 2.6 0 1 0 0-5.2a2.6 2.6 0 0 0 0 5.2 M3 13.5c.6-2.6 2.6-3.7 5-3.7s4.4 1.1 5 3.7",
  // Two steps and the arrow between them.
  SequentialAgent: "M2 8h11 M10 5l3 3l-3 3 M4.5 6v4",
  // Two lanes.
  ParallelAgent: "M5 3v10 M11 3v10 M2.5 8h0 M13.5 8h0",
  // A circular arrow.
  LoopAgent: "M13 8a5 5 0 1 1-1.6-3.7 M11.8 1.8v2.8h-2.8",
  // Three nodes.
  Workflow:
    "M8 5a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2 M3.8 14a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2 M12.2 14a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2 M7.2 5l-2.6 5.8 M8.8 5l2.6 5.8",
  // Braces.
  CustomAgent:
    "M6 3c-2 0-2 1-2 2.3s0 2.2-1.6 2.7c1.6.5 1.6 1.4 1.6 2.7s0 2.3 2 2.3 M10 3c2 0 2 1 2 2.3s0 2.2 1.6 2.7c-1.6.5-1.6 1.4-1.6 2.7s0 2.3-2 2.3",
  // A state with a transition to itself.
  MachineAgent:
    "M3 6.5h7v5h-7z M10 9h2.2a1.8 1.8 0 0 0 1.8-1.8v-1.4a1.8 1.8 0 0 0-1.8-1.8h-3.7v2.5 M7 5l1.5 1.5l1.5-1.5",
  // A box with an arrow that leaves it.
  WorkflowAgent: "M8.5 3.5h-5.5v9.5h9.5v-5.5 M7 9l6.5-6.5 M9.5 2.5h4v4",
  // A clock.
  WaitAgent: "M8 13.5a5.5 5.5 0 1 0 0-11a5.5 5.5 0 0 0 0 11 M8 5v3l2.2 1.4",
  FunctionNode:
    "M6 3c-2 0-2 1-2 2.3s0 2.2-1.6 2.7c1.6.5 1.6 1.4 1.6 2.7s0 2.3 2 2.3 M10 3c2 0 2 1 2 2.3s0 2.2 1.6 2.7c-1.6.5-1.6 1.4-1.6 2.7s0 2.3-2 2.3",
  // A line that forks.
  RouterNode: "M2 8h4l6-4.5 M6 8l6 4.5 M9.5 3.2l2.7.2l-.5 2.6 M9.5 12.8l2.7-.2l-.5-2.6",
  // A spanner.
  ToolNode:
    "M3 13l5.2-5.2 M8.2 7.8a3 3 0 0 1 3.8-4.2l-1.8 1.8l.4 1.2l1.2.4l1.8-1.8a3 3 0 0 1-4.2 3.8",
  // Two lines that join.
  JoinNode: "M2.5 3.5l5 4.5h5.5 M2.5 12.5l5-4.5 M10.8 5.8l2.2 2.2l-2.2 2.2",
  // Three nodes, as for Workflow.
  TaskGraph:
    "M8 5a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2 M3.8 14a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2 M12.2 14a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2 M7.2 5l-2.6 5.8 M8.8 5l2.6 5.8",
  // Two people.
  team: "M6 7.5a2.2 2.2 0 1 0 0-4.4a2.2 2.2 0 0 0 0 4.4 M2 13c.4-2.3 2-3.3 4-3.3s3.6 1 4 3.3 M10.5 3.3a2.2 2.2 0 0 1 0 4 M11.8 9.9c1.3.4 2 1.5 2.2 3.1",
  tool: "M3 13l5.2-5.2 M8.2 7.8a3 3 0 0 1 3.8-4.2l-1.8 1.8l.4 1.2l1.2.4l1.8-1.8a3 3 0 0 1-4.2 3.8",
  choice: "",
  // A pause sign.
  resting: "M6 4v8 M10 4v8",
  // A door with an arrow that leaves it.
  exit: "M9 2.8h-5.5v10.4h5.5 M7 8h6.5 M11 5.5l2.5 2.5l-2.5 2.5",
  // A gauge.
  limit: "M2.8 12a5.6 5.6 0 1 1 10.4 0 M8 10.5l2.6-3.6 M2.8 12h10.4",
  // A cross.
  ending: "M4.5 4.5l7 7 M11.5 4.5l-7 7",
}

export const iconPath = (look: StateLook): string => icons[look]
