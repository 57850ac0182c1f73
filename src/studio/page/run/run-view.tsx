import { useMemo, useState } from "preact/hooks"
import { AgentsPanel } from "./agents-panel.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { agentActivity } from "../../../serving/display/agent-activity.js"
import { ChartView } from "../parts/chart-view.js"
import { EventsPanel } from "./events-panel.js"
import { PendingPanel } from "./pending-panel.js"
import { StatePanel } from "./state-panel.js"
import { Tabs } from "../parts/tabs.js"
import { TimeTravel } from "./time-travel.js"
import { ToolFailures } from "./tool-failures.js"
import { childRunsOf, RunLink } from "./run-links.js"
import { useRun } from "./use-run.js"

/** Shows a run: its chart, events, state, agents and pending requests, at any record. */
export function RunView({ runId }: { readonly runId: string }) {
  const [at, setAt] = useState<number | null>(null)
  const [tab, setTab] = useState("events")
  const [agent, setAgent] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const run = useRun(runId, at)
  const { info, snapshot, events } = run
  const seen =
    at === null || snapshot === null ? events.length : Math.min(snapshot.seen, events.length)
  const activity = useMemo(() => agentActivity(events.slice(0, seen)), [events, seen])

  if (info === null) return <p class="empty">{run.error ?? "Opening…"}</p>
  const post = async (path: string, body: unknown = {}): Promise<void> => {
    try {
      await fetchJson(`/runs/${encodeURIComponent(runId)}${path}`, { method: "POST", body })
      setError(null)
      setAt(null)
    } catch (cause) {
      setError(messageOf(cause))
    }
    run.refresh()
  }
  const answer = async (message: object): Promise<string | null> => {
    try {
      await fetchJson(`/runs/${encodeURIComponent(runId)}/messages`, {
        method: "POST",
        body: message,
      })
      setError(null)
      return null
    } catch (cause) {
      return messageOf(cause)
    } finally {
      run.refresh()
    }
  }
  const isOpen =
    info.status === "running" || info.status === "waiting" || info.status === "interrupted"
  const panels = {
    events: {
      name: "Events",
      content: (
        <EventsPanel
          events={events}
          seen={seen}
          streaming={at === null ? run.streaming : []}
          agent={agent}
          onAgent={setAgent}
          onTravel={(event) => void travelTo(runId, event + 1, setAt, setError)}
        />
      ),
    },
    state: {
      name: "State",
      content: <StatePanel state={snapshot?.result.state ?? {}} events={events.slice(0, seen)} />,
    },
    agents: {
      name: "Agents",
      content: (
        <AgentsPanel
          snapshot={snapshot}
          events={events.slice(0, seen)}
          agent={agent}
          onAgent={setAgent}
        />
      ),
    },
  }
  return (
    <div class="run-view">
      <div class="bar run-bar">
        <h2>
          <span class={`dot is-${info.status}`} aria-hidden="true" />
          {info.chart}
        </h2>
        <p role="status">
          <strong>{info.status}</strong>
          {info.owner !== null && `, executed by ${info.owner}`}
          {info.isHere && !run.isConnected && ", connecting…"} <span class="calm">{runId}</span>
          {info.forkedFrom !== null && (
            <RunLink runId={info.forkedFrom.runId}>
              forked from {info.forkedFrom.runId.slice(0, 8)} at record {info.forkedFrom.at}
            </RunLink>
          )}
          {info.caller !== null && (
            <RunLink runId={info.caller.runId}>called by {info.caller.runId}</RunLink>
          )}
          {childRunsOf(events).map((child) => (
            <RunLink key={child} runId={child}>
              calls {child}
            </RunLink>
          ))}
        </p>
        <div class="actions">
          {info.status === "interrupted" && (
            <button type="button" class="main" onClick={() => void post("/resume")}>
              Resume
            </button>
          )}
          {isOpen && info.owner === null && (
            <button type="button" onClick={() => void post("/messages", { type: "cancel" })}>
              Cancel
            </button>
          )}
          {info.file !== null && <a href={`#/file/${encodeURIComponent(info.file)}`}>Edit</a>}
        </div>
      </div>
      {(error ?? run.error) !== null && (
        <p role="alert" class="trouble">
          {error ?? run.error}
        </p>
      )}
      {info.pending.length > 0 && at === null && (
        <PendingPanel pending={info.pending} onAnswer={answer} />
      )}
      <div class="stage">
        <ToolFailures result={snapshot?.result ?? null} />
        <ChartView
          svg={info.svg}
          activity={activity}
          onAgent={(chosen) => (setAgent(chosen), setTab("agents"))}
        />
        <TimeTravel
          snapshot={snapshot}
          at={at}
          isOpen={isOpen}
          onTravel={setAt}
          onFork={(body) => void forkRun(runId, body, setError)}
        />
      </div>
      <Tabs label="Details of the run" tabs={panels} selected={tab} onSelect={setTab} />
    </div>
  )
}

async function forkRun(
  runId: string,
  body: unknown,
  setError: (message: string | null) => void,
): Promise<void> {
  try {
    const { runId: forked } = await fetchJson<{ readonly runId: string }>(
      `/runs/${encodeURIComponent(runId)}/fork`,
      { method: "POST", body },
    )
    location.hash = `#/run/${encodeURIComponent(forked)}`
  } catch (cause) {
    setError(messageOf(cause))
  }
}

/** Shows the run at the first record after which `seen` events had been emitted. */
async function travelTo(
  runId: string,
  seen: number,
  setAt: (at: number) => void,
  setError: (message: string | null) => void,
): Promise<void> {
  try {
    setAt(
      (
        await fetchJson<{ readonly at: number }>(
          `/runs/${encodeURIComponent(runId)}/at?seen=${seen}`,
        )
      ).at,
    )
  } catch (cause) {
    setError(messageOf(cause))
  }
}
