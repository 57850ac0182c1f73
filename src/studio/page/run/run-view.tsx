import { useEffect, useMemo, useState } from "preact/hooks"
import { redrawRun } from "../client/redraw.js"
import { ChartView } from "../parts/chart-view.js"
import { panelIn } from "../client/run-hash.js"
import { RunFolds } from "./folds/run-folds.js"
import { usePastFolds } from "./follow/use-past-folds.js"
import { useRun } from "./follow/use-run.js"
import { isOpenRun, RunHeader } from "./header/run-header.js"
import { RunResultView } from "./header/run-result-view.js"
import { RunLayout } from "./layout/run-layout.js"
import { usePanelSelection } from "./layout/use-panel-selection.js"
import { PolicyNotes } from "./policies/policy-notes.js"
import { PendingPanel } from "./requests/pending-panel.js"
import { runPanels } from "./run-panels.js"
import { PastBanner } from "./time/past-banner.js"
import { TimeTravel } from "./time/time-travel.js"
import { usePosition } from "./time/use-position.js"
import { useRunCommands } from "./use-run-commands.js"
import { ErrorMessage } from "../parts/error-message.js"

/**
 * Data of a run without events. It is shown until the events before the selected position are
 * loaded.
 */
const noFolds = new RunFolds()

/**
 * Component that shows a run at its latest state or at an earlier position. It contains the result,
 * chart, events, state, agents and pending requests.
 */
export function RunView({ runId }: { readonly runId: string }) {
  const [position, setPosition] = usePosition(runId)
  const [agent, setAgent] = useState<string | null>(null)
  const [entry, setEntry] = useState<number | null>(null)
  const [isForking, setForking] = useState(false)
  const selection = usePanelSelection({
    side: panelIn(location.hash) ?? "events",
    bottom: "timeline",
  })
  const run = useRun(runId, position)
  const commands = useRunCommands(runId, { refresh: run.refresh, onTravel: setPosition })
  const { info, snapshot, eventCount } = run
  const seen = Math.min(
    position?.by === "event" ? position.count : ((position && snapshot?.seen) ?? eventCount),
    eventCount,
  )
  const isPast = seen < eventCount
  const pastFolds = usePastFolds(runId, run.folds, isPast ? seen : null)
  const folds = isPast ? (pastFolds ?? noFolds) : run.folds
  const activity = useMemo(() => folds.activity.activity(), [folds, seen])
  const { isConversation } = run.folds.chat
  const error = commands.error ?? run.error

  useEffect(() => {
    if (isConversation) selection.select({ id: "chat", dock: "side" })
  }, [isConversation])

  if (info === null) return <p class="empty">{run.error ?? "Opening…"}</p>
  const showEntry = (seq: number | null): void => {
    setEntry(seq)
    if (seq !== null) selection.select({ id: "events", dock: "side" })
  }
  const showCause = (index: number): void => {
    showEntry(index)
    selection.setDrawerOpen(true)
  }
  const travelTo = (count: number): void => {
    setPosition({ by: "event", count })
    // On a phone, the drawer covers the chart.
    selection.setDrawerOpen(false)
  }
  const isChatOpen = isConversation && selection.side === "chat"
  const pending = info.pending.filter(({ kind }) => kind !== "input" || !isChatOpen)
  const result = folds.result ?? snapshot?.result ?? null
  const cause = folds.log.cause
  return (
    <RunLayout
      top={
        <>
          <RunHeader
            info={info}
            folds={folds}
            isConnected={run.isConnected}
            onResume={() => void commands.resume()}
            onCancel={() => void commands.cancel()}
          />
          <ErrorMessage text={error} />
          {position !== null && (
            <PastBanner
              snapshot={snapshot}
              seen={seen}
              eventCount={eventCount}
              isOpen={isOpenRun(info)}
              onReturn={() => setPosition(null)}
            />
          )}
          {pending.length > 0 && position === null && (
            <PendingPanel pending={pending} onAnswer={commands.answer} />
          )}
          {result !== null && (
            <RunResultView
              result={result}
              {...(cause !== null && { onShowCause: () => showCause(cause) })}
            />
          )}
          <PolicyNotes
            info={info}
            events={folds.policyEvents}
            onTravel={(event) => travelTo(event + 1)}
          />
        </>
      }
      canvas={
        <>
          <ChartView
            svg={info.svg}
            activity={activity}
            selected={agent}
            failed={position === null ? (result?.error?.agent ?? null) : null}
            redraw={redrawRun(runId)}
            onAgent={(chosen) => {
              setAgent(chosen)
              selection.select({ id: "agents", dock: "side" })
            }}
          />
          <TimeTravel
            info={info}
            snapshot={snapshot}
            eventCount={eventCount}
            seen={seen}
            position={position}
            isOpen={isOpenRun(info)}
            isForking={isForking && run.isSnapshotCurrent}
            onFork={setForking}
            onTravel={setPosition}
          />
        </>
      }
      panels={runPanels({
        runId,
        run,
        isPast: position !== null,
        seen,
        folds,
        isOpen: isOpenRun(info),
        agent,
        onAgent: setAgent,
        entry,
        onEntry: showEntry,
        commands,
        onTravel: travelTo,
        onFork: (count) => {
          travelTo(count)
          setForking(true)
        },
      })}
      selection={selection}
      agent={agent}
    />
  )
}
