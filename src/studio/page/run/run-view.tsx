import { useMemo, useState } from "preact/hooks"
import { agentActivity } from "../../../serving/display/agent-activity.js"
import { ChartView } from "../parts/chart-view.js"
import { useRun } from "./follow/use-run.js"
import { isOpenRun, RunHeader } from "./header/run-header.js"
import { ToolFailures } from "./header/tool-failures.js"
import { RunLayout } from "./layout/run-layout.js"
import { usePanelSelection } from "./layout/use-panel-selection.js"
import { PolicyNotes } from "./policies/policy-notes.js"
import { PendingPanel } from "./requests/pending-panel.js"
import { runPanels } from "./run-panels.js"
import { TimeTravel } from "./time/time-travel.js"
import { useRunCommands } from "./use-run-commands.js"

/** Shows a run: its chart, events, state, agents and pending requests, at any record. */
export function RunView({ runId }: { readonly runId: string }) {
  const [at, setAt] = useState<number | null>(null)
  const [agent, setAgent] = useState<string | null>(null)
  const selection = usePanelSelection({ side: "events", bottom: "timeline" })
  const run = useRun(runId, at)
  const commands = useRunCommands(runId, { refresh: run.refresh, onTravel: setAt })
  const { info, snapshot, events } = run
  const seen =
    at === null || snapshot === null ? events.length : Math.min(snapshot.seen, events.length)
  const activity = useMemo(() => agentActivity(events.slice(0, seen)), [events, seen])
  const error = commands.error ?? run.error

  if (info === null) return <p class="empty">{run.error ?? "Opening…"}</p>
  return (
    <RunLayout
      top={
        <>
          <RunHeader
            info={info}
            events={events}
            isConnected={run.isConnected}
            onResume={() => void commands.resume()}
            onCancel={() => void commands.cancel()}
          />
          {error !== null && (
            <p role="alert" class="trouble">
              {error}
            </p>
          )}
          {info.pending.length > 0 && at === null && (
            <PendingPanel pending={info.pending} onAnswer={commands.answer} />
          )}
          <ToolFailures result={snapshot?.result ?? null} />
          <PolicyNotes
            info={info}
            events={events.slice(0, seen)}
            onTravel={(event) => void commands.travelTo(event + 1)}
          />
        </>
      }
      canvas={
        <>
          <ChartView
            svg={info.svg}
            activity={activity}
            onAgent={(chosen) => {
              setAgent(chosen)
              selection.select({ id: "agents", dock: "side" })
            }}
          />
          <TimeTravel
            snapshot={snapshot}
            at={at}
            isOpen={isOpenRun(info)}
            onTravel={setAt}
            onFork={(body) => void commands.fork(body)}
          />
        </>
      }
      panels={runPanels({ run, at, seen, agent, onAgent: setAgent, commands })}
      selection={selection}
    />
  )
}
