import type { FollowedRun } from "./follow/use-run.js"
import { AgentsPanel } from "./agents/agents-panel.js"
import { EventsPanel } from "./events/events-panel.js"
import type { RunPanel } from "./layout/run-panel.js"
import { StatePanel } from "./state/state-panel.js"
import type { RunCommands } from "./use-run-commands.js"

interface RunPanelsProps {
  readonly run: FollowedRun
  /** The selected number of records. null follows the latest record. */
  readonly at: number | null
  /** Number of events that had been emitted at the selected record. */
  readonly seen: number
  /** The agent that filters the panels. */
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
  readonly commands: RunCommands
}

/** Returns the panels of the run view, in the order of their tabs. */
export function runPanels({
  run,
  at,
  seen,
  agent,
  onAgent,
  commands,
}: RunPanelsProps): readonly RunPanel[] {
  const { events, snapshot } = run
  return [
    {
      id: "events",
      name: "Events",
      dock: "side",
      content: (
        <EventsPanel
          events={events}
          seen={seen}
          streaming={at === null ? run.streaming : []}
          agent={agent}
          onAgent={onAgent}
          onTravel={(seq) => void commands.travelTo(seq + 1)}
        />
      ),
    },
    {
      id: "state",
      name: "State",
      dock: "side",
      content: <StatePanel state={snapshot?.result.state ?? {}} events={events.slice(0, seen)} />,
    },
    {
      id: "agents",
      name: "Agents",
      dock: "side",
      content: (
        <AgentsPanel
          snapshot={snapshot}
          events={events.slice(0, seen)}
          agent={agent}
          onAgent={onAgent}
        />
      ),
    },
  ]
}
