import { AgentsPanel } from "./agents/agents-panel.js"
import { ChatPanel } from "./chat/chat-panel.js"
import { EventsPanel } from "./events/events-panel.js"
import type { RunFolds } from "./folds/run-folds.js"
import type { FollowedRun } from "./follow/use-run.js"
import type { RunPanel } from "./layout/run-panel.js"
import { lazy } from "../parts/lazy.js"
import { StatePanel } from "./state/state-panel.js"
import { timeGap } from "./timeline/time-gap.js"
import { TimelinePanel } from "./timeline/timeline-panel.js"
import type { RunCommands } from "./use-run-commands.js"

interface RunPanelsProps {
  readonly runId: string
  readonly run: FollowedRun
  /** Whether the page shows an earlier position in the run instead of its latest state. */
  readonly isPast: boolean
  /** Number of events that the run had emitted at the selected position. */
  readonly seen: number
  /** The data that the page has computed from the first `seen` events of the run. */
  readonly folds: RunFolds
  /** Whether the run can emit further events. */
  readonly isOpen: boolean
  /** Name of the agent whose data the panels show. Null if they show the data of all agents. */
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
  /** The `seq` of the selected entry of the event list. Null if no entry is selected. */
  readonly entry: number | null
  readonly onEntry: (entry: number | null) => void
  readonly commands: RunCommands
  /** Called when the user wants to see the run after its first `seen` events. */
  readonly onTravel: (seen: number) => void
  /** Called when the user wants to fork the run after its first `seen` events. */
  readonly onFork: (seen: number) => void
}

const MachinesPanel = lazy(async () => (await import("./machines/machines-panel.js")).MachinesPanel)

/** Returns the panels in the view of a run, in the order of their tabs. */
export function runPanels({
  runId,
  run,
  isPast,
  seen,
  folds,
  isOpen,
  agent,
  onAgent,
  entry,
  onEntry,
  commands,
  onTravel,
  onFork,
}: RunPanelsProps): readonly RunPanel[] {
  const { snapshot, info } = run
  // If the page no longer keeps the events up to the position, their data is loaded separately.
  const shown = seen < run.folds.first ? folds : run.folds
  const chat: RunPanel = {
    id: "chat",
    name: "Chat",
    dock: "side",
    content: (
      <ChatPanel
        messages={shown.chat.messages}
        seen={seen}
        streaming={isPast ? [] : run.streaming}
        request={(isPast ? [] : info?.pending)?.find(({ kind }) => kind === "input") ?? null}
        onAnswer={commands.answer}
      />
    ),
  }
  return [
    ...(run.folds.chat.isConversation ? [chat] : []),
    {
      id: "events",
      name: "Events",
      dock: "side",
      content: (
        <EventsPanel
          runId={runId}
          folds={run.folds}
          seen={seen}
          streaming={isPast ? [] : run.streaming}
          agent={agent}
          onAgent={onAgent}
          selected={entry}
          onSelect={onEntry}
          onTravel={(seq) => onTravel(seq + 1)}
          onFork={(seq) => onFork(seq + 1)}
        />
      ),
    },
    {
      id: "state",
      name: "State",
      dock: "side",
      content: (
        <StatePanel state={(folds.result ?? snapshot?.result)?.state ?? {}} changes={folds.state} />
      ),
    },
    {
      id: "agents",
      name: "Agents",
      dock: "side",
      content: (
        <AgentsPanel
          runId={runId}
          snapshot={snapshot}
          folds={folds}
          agent={agent}
          onAgent={onAgent}
        />
      ),
    },
    {
      id: "machines",
      name: "Machines",
      dock: "side",
      content: snapshot !== null && (
        <MachinesPanel runId={runId} position={snapshot.at} isPast={isPast} />
      ),
    },
    {
      id: "timeline",
      name: "Timeline",
      dock: "bottom",
      content: (
        <TimelinePanel
          lanes={shown.lanes}
          isOpen={isOpen}
          time={isPast ? (snapshot?.time ?? null) : null}
          gap={info === null ? null : timeGap(shown.events, info.startedAt)}
          agent={agent}
          onAgent={onAgent}
          selected={entry}
          onSelect={onEntry}
        />
      ),
    },
  ]
}
