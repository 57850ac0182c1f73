import type { ComponentChildren } from "preact"
import { useStoredValue } from "../../client/stored-value.js"
import { Tabs } from "../../parts/tabs.js"
import "./run-layout.css"
import type { RunPanel } from "./run-panel.js"
import { maxPanelSize, minPanelSize, Splitter } from "./splitter.js"
import { useMediaQuery } from "./use-media-query.js"
import type { PanelSelection } from "./use-panel-selection.js"

interface RunLayoutProps {
  /** Content above the drawing, which is the header, the errors and the pending requests. */
  readonly top: ComponentChildren
  /** The drawing of the chart with its controls. */
  readonly canvas: ComponentChildren
  readonly panels: readonly RunPanel[]
  readonly selection: PanelSelection
  /**
   * Name of the selected agent, or null. On a phone, it is shown next to the button that opens the
   * panels.
   */
  readonly agent: string | null
}

/**
 * Component that arranges the view of a run. The drawing has panels to its right and below it,
 * whose sizes are stored in the browser. On a phone, all panels are in a drawer below the drawing.
 */
export function RunLayout(props: RunLayoutProps) {
  const isPhone = useMediaQuery("(max-width: 900px)")
  return isPhone ? <PhoneLayout {...props} /> : <WideLayout {...props} />
}

function WideLayout({ top, canvas, panels, selection }: RunLayoutProps) {
  const [sideSize, setSideSize] = useStoredValue("side panel", 42, isSize)
  const [bottomSize, setBottomSize] = useStoredValue("bottom panel", 34, isSize)
  const [isBottomOpen, setBottomOpen] = useStoredValue("bottom panel open", true, isFlag)
  const bottom = panels.filter(({ dock }) => dock === "bottom")
  return (
    <div class="run-view">
      <div class="run-top">{top}</div>
      <div
        class="run-panes"
        style={{ gridTemplateColumns: `minmax(0, 1fr) auto minmax(0, ${sideSize}%)` }}
      >
        <div
          class="run-main"
          style={{
            gridTemplateRows:
              isBottomOpen && bottom.length > 0
                ? `minmax(0, 1fr) auto minmax(0, ${bottomSize}%)`
                : "minmax(0, 1fr) auto",
          }}
        >
          <div class="run-canvas">{canvas}</div>
          {bottom.length > 0 && isBottomOpen && (
            <Splitter
              label="Height of the lower panel"
              orientation="horizontal"
              size={bottomSize}
              onResize={setBottomSize}
            />
          )}
          {bottom.length > 0 && (
            <Tabs
              label="Course of the run"
              tabs={tabsOf(bottom)}
              selected={isBottomOpen ? selection.bottom : null}
              onSelect={(id) => {
                // A click on the tab that is open closes the panel.
                setBottomOpen(!isBottomOpen || id !== selection.bottom)
                selection.select({ id, dock: "bottom" })
              }}
            />
          )}
        </div>
        <Splitter
          label="Width of the side panel"
          orientation="vertical"
          size={sideSize}
          onResize={setSideSize}
        />
        <Tabs
          label="Details of the run"
          tabs={tabsOf(panels.filter(({ dock }) => dock === "side"))}
          selected={selection.side}
          onSelect={(id) => selection.select({ id, dock: "side" })}
        />
      </div>
    </div>
  )
}

function PhoneLayout({ top, canvas, panels, selection, agent }: RunLayoutProps) {
  const { isDrawerOpen: isOpen, setDrawerOpen: setOpen } = selection
  return (
    <div class="run-view is-phone">
      <div class="run-top">{top}</div>
      <div class="run-canvas">{canvas}</div>
      <div class={isOpen ? "drawer is-open" : "drawer"}>
        <button
          type="button"
          class="drawer-handle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide details" : `Show details${agent === null ? "" : ` of ${agent}`}`}
        </button>
        {isOpen && (
          <Tabs
            label="Details of the run"
            tabs={tabsOf(panels)}
            selected={selection.last}
            onSelect={(id) => {
              const panel = panels.find((one) => one.id === id)
              if (panel !== undefined) selection.select(panel)
            }}
          />
        )}
      </div>
    </div>
  )
}

const tabsOf = (panels: readonly RunPanel[]): Parameters<typeof Tabs>[0]["tabs"] =>
  Object.fromEntries(panels.map(({ id, name, content }) => [id, { name, content }]))

const isSize = (value: unknown): value is number =>
  typeof value === "number" && value >= minPanelSize && value <= maxPanelSize

const isFlag = (value: unknown): value is boolean => typeof value === "boolean"
