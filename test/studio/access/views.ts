import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { cli } from "../../cli/command.js"
import { llm, sequence } from "../../support/workflow.js"
import type { StudioFolder } from "../studio-page.js"
import type { KeyboardUser } from "./keyboard-user.js"

/** A view, panel, dialog or menu of the studio. Each one is opened from the one before it. */
export interface View {
  /** The files of the page that the view shows, each with an element that it renders. */
  readonly shows: Readonly<Record<string, string>>
  /** Opens the view from the view before it, with the keyboard only. */
  readonly open: (user: KeyboardUser) => Promise<void>
}

/** Files of the page that render no elements themselves, and the mark that is only shown while dragging. */
export const withoutElements = [
  "main.tsx",
  "parts/lazy.tsx",
  "run/run-panels.tsx",
  "canvas/drop-mark.tsx",
]

/** Writes the workflows of the views. */
export async function writeWorkflows(place: StudioFolder): Promise<void> {
  for (const name of ["human-approval", "adk-story-flow", "adk-capital-schema", "ci"])
    place.addExample(name)
  const ci = (name: string): string => join(place.folder, "ci", name)
  const evaluated = await cli([
    "eval",
    ci("refunds.yaml"),
    ci("refunds.evalset.json"),
    `--config=${ci("test_config.json")}`,
    `--scripted=${ci("refunds.scenario.json")}`,
    `--json=${ci("report.json")}`,
  ])
  if (evaluated.code !== 0) throw new Error(evaluated.stderr)
  const call = { id: "1", function_name: "look_up", function_args: { name: "Ada" } }
  place.write("talk/workflow.json", {
    rootAgentId: "all",
    initialUserInput: "Hello",
    globalTools: [
      {
        type: "HttpTool",
        id: "look_up",
        httpConfig: { url: "http://tools.test/look", method: "POST" },
      },
    ],
    agents: [sequence("all", ["desk"]), llm("desk", { tools: ["look_up"] })],
  })
  place.write("talk/scenario.json", {
    llm: {
      desk: [
        { content: "What is your name?", waitForUserInput: true },
        { content: null, toolCalls: [call] },
        { content: "# Good day\n\nYou are **not** in the list.", exitFlow: true },
      ],
    },
    tools: { look_up: [{ httpStatus: 404 }] },
  })
  place.write("broken.json", { rootAgentId: "writer", agents: [llm("writer", { tools: ["no"] })] })
  place.write(
    "graph.yaml",
    "agent_class: Workflow\nname: desk\nedges:\n  - [START, writer, reviewer]\nnodes:\n" +
      "  - { name: writer, model: m, instruction: Write. }\n  - { name: reviewer, model: m, instruction: Review. }\n",
  )
}

const button = (page: Page, name: string): Locator =>
  page.getByRole("button", { name, exact: true })

/** Opens a file with the list. */
async function openFile(user: KeyboardUser, path: string): Promise<void> {
  const { page } = user
  await user.fill(page.getByRole("searchbox", { name: "Find workflows and runs" }), path)
  await user.activate(page.locator(`.files a[data-path="${path}"]`))
  await page.locator(".file-title small", { hasText: path }).waitFor()
  await page.locator(".cm-content").waitFor()
  await page.locator(".chart-editor, .problems .is-error").first().waitFor()
}

async function run(user: KeyboardUser): Promise<void> {
  await user.activate(button(user.page, "Run").and(user.page.locator(":enabled")))
  await user.page.locator(".run-view").waitFor()
}

const statusIs = (page: Page, status: string): Promise<void> =>
  page.locator(`.run-bar .status.is-${status}`).waitFor()

/** Moves the focus to the selected tab of a list, and presses keys. */
async function inTabs(user: KeyboardUser, list: string, ...keys: readonly string[]): Promise<void> {
  await user.tabTo(
    user.page.getByRole("tablist", { name: list }).getByRole("tab", { selected: true }),
  )
  await user.press(...keys)
}

const correctedArguments =
  '{ "invoice": "INV-2291", "amount": 1840, "iban": "DE02 1203 0000 0000 2020 51" }'
const drawing = ".drawing"
const isFocused = (page: Page, selector: string): Promise<void> =>
  page.locator(`${selector}:focus`).waitFor()
const isSelected = (page: Page, agent: string): Promise<void> =>
  page.locator(`.drawing .is-selected[data-state="${agent}"]`).waitFor()

export const views: Readonly<Record<string, View>> = {
  "start page": {
    shows: {
      "app.tsx": ".studio",
      "list/sidebar.tsx": ".sidebar",
      "list/workflow-list.tsx": ".files a",
      "list/start-page.tsx": ".workflow-cards a",
      "parts/search-input.tsx": ".sidebar input[type=search]",
    },
    open: async ({ page }) => page.locator(".workflow-cards a").first().waitFor(),
  },
  "file with missing services": {
    shows: {
      "file/file-view.tsx": ".file-view .missing",
      "file/editor.tsx": ".cm-content",
      "file/start-form.tsx": "form.start",
      "file/problems.tsx": ".problems",
      "parts/chart-view.tsx": ".drawing svg",
      "canvas/state-search.tsx": ".state-search input",
      "canvas/view-tools.tsx": ".view-tools",
      "canvas/zoom-tools.tsx": ".zoom-tools",
      "edit/chart-editor.tsx": ".chart-editor",
      "edit/edit-tools.tsx": ".edit-tools",
    },
    async open(user) {
      await user.activate(button(user.page, "Skip to the content"))
      await isFocused(user.page, "main")
      await openFile(user, "adk-story-flow/workflow.json")
      await user.page.locator(".missing").waitFor()
      await user.tabTo(user.page.getByRole("checkbox", { name: /^Use services\.mjs/ }))
      await user.press("Space")
      await user.page.locator(".missing").waitFor({ state: "detached" })
      await user.press("Space")
    },
  },
  "form of a run": {
    shows: {
      "file/override-form.tsx": ".override-fields",
      "file/schema-form.tsx": ".schema-form",
      "forms/field-input.tsx": ".schema-form .field-input",
    },
    async open(user) {
      await openFile(user, "adk-capital-schema/workflow.json")
      await user.fill(user.page.getByLabel("country"), "Peru")
      await user.activate(user.page.locator(".overrides > summary"))
      await user.fill(user.page.getByLabel("Temperature"), "0.3")
    },
  },
  "finished run": {
    shows: {
      "run/run-view.tsx": ".run-view",
      "run/layout/run-layout.tsx": ".run-panes",
      "run/layout/splitter.tsx": ".splitter",
      "run/header/run-header.tsx": ".run-bar",
      "run/header/run-facts.tsx": ".run-facts-list",
      "run/header/run-result-view.tsx": ".run-result",
      "markdown/markdown.tsx": ".answer > *",
      "run/events/events-panel.tsx": ".events",
      "run/timeline/timeline-panel.tsx": ".timeline",
      "run/timeline/lane-row.tsx": ".lane .call-bar",
      "run/timeline/time-axis.tsx": ".time-axis",
      "run/time/time-travel.tsx": ".travel",
      "run/time/rerun-button.tsx": ".travel-actions button:text('Run with the changed file')",
      "list/run-list.tsx": ".runs a",
      "parts/tabs.tsx": "[role=tablist]",
      "parts/virtual-list.tsx": ".virtual-list",
    },
    async open(user) {
      await run(user)
      await isFocused(user.page, "main")
      await statusIs(user.page, "completed")
    },
  },
  history: {
    shows: { "file/history-panel.tsx": ".history-rows" },
    async open(user) {
      const { page } = user
      await user.activate(page.getByRole("link", { name: "Edit", exact: true }))
      await user.activate(page.locator(".history > summary"))
      await user.activate(button(page, "Rerun"))
      await statusIs(page, "completed")
      await user.activate(page.getByRole("link", { name: "Edit", exact: true }))
      await user.activate(page.locator(".history > summary"))
      const rows = page.locator(".history-rows tbody tr")
      await rows.nth(1).waitFor()
      await user.activate(rows.nth(1).getByRole("button", { name: "Delete" }))
      await user.press("Enter")
      await rows.nth(1).waitFor({ state: "detached" })
      await isFocused(page, ".history-rows")
    },
  },
  problems: {
    shows: { "file/problems.tsx": ".problems .is-error" },
    async open(user) {
      await openFile(user, "broken.json")
      await user.activate(user.page.locator(".problems .is-error button").first())
      await isFocused(user.page, ".cm-content")
    },
  },
  evaluation: {
    shows: { "checks/evaluation-view.tsx": ".check-details .case" },
    async open(user) {
      await openFile(user, "ci/refunds.yaml")
      const row = user.page.locator(".check-row", { hasText: "report.json" })
      await user.activate(row.locator("summary").first())
    },
  },
  "policies and faults": {
    shows: {
      "checks/checks-panel.tsx": ".checks",
      "checks/check-row.tsx": ".check-row[open]",
      "checks/policy-list.tsx": ".policies .policy",
      "checks/certificate-view.tsx": ".check-details table",
    },
    async open(user) {
      await openFile(user, "human-approval/workflow.json")
      for (const file of ["payments.policy.yaml", "faults.certificate.json"])
        await user.activate(
          user.page.locator(".check-row", { hasText: file }).locator("summary").first(),
        )
      await user.activate(user.page.locator(".policy summary").first())
    },
  },
  counterexample: {
    shows: { "run/policies/policy-notes.tsx": ".policy-notes li" },
    async open(user) {
      await user.activate(button(user.page, "Play the counterexample"))
      await user.activate(user.page.locator(".policy-notes li button").first())
      await user.page.locator(".past-banner").waitFor()
    },
  },
  approval: {
    shows: {
      "run/requests/pending-panel.tsx": ".pending .request",
      "run/requests/request-details.tsx": ".request .prompt",
      "parts/error-message.tsx": ".request [role=alert]",
    },
    async open(user) {
      const { page } = user
      await openFile(user, "human-approval/workflow.json")
      await run(user)
      await user.fill(page.getByLabel("Arguments of pay_invoice"), '{"amount": 1840')
      await user.activate(button(page, "Approve"))
      await page.locator(".request [role=alert]").waitFor()
    },
  },
  "details of an event": {
    shows: {
      "run/details/entry-details.tsx": ".entry-details",
      "run/details/call-details.tsx": ".entry-part",
      "run/details/model-messages.tsx": ".entry-details .of-system",
      "parts/value-view.tsx": ".entry-details .fields",
      "parts/disclosure.tsx": ".entry-details details[open]",
    },
    async open(user) {
      const { page } = user
      await user.fill(page.getByLabel("Arguments of pay_invoice"), correctedArguments)
      await user.activate(button(page, "Approve"))
      await page.locator(".request", { hasText: "2,760" }).waitFor()
      await isFocused(page, "main")
      await user.fill(page.getByLabel("Reason, if you reject"), "Another account")
      await user.activate(button(page, "Reject"))
      await statusIs(page, "completed")
      await user.tabTo(page.getByRole("listbox", { name: "Events" }))
      await user.press("End", "ArrowUp", "Home")
      const call = page.locator("[role=option][aria-selected=true] .of-models")
      while ((await call.count()) === 0) await user.press("ArrowDown")
      await user.activate(page.locator(".entry-details summary").first())
    },
  },
  state: {
    shows: { "run/state/state-panel.tsx": "#panel-state .state" },
    async open(user) {
      const { page } = user
      await user.activate(button(page, "Close the details"))
      await isFocused(page, "[role=listbox]")
      await inTabs(user, "Details of the run", "ArrowRight")
    },
  },
  agents: {
    shows: {
      "run/agents/agents-panel.tsx": ".agents table",
      "run/agents/agent-filter.tsx": ".agent-filter",
      "run/agents/conversations.tsx": ".agents .conversation",
    },
    async open(user) {
      await inTabs(user, "Details of the run", "ArrowRight")
      await user.activate(user.page.locator(".agents th button").first())
    },
  },
  machines: {
    shows: {
      "run/machines/machines-panel.tsx": ".machines",
      "run/machines/actor-tree.tsx": ".machines [aria-label=Machines] button",
      "run/machines/sequence-diagram.tsx": ".sequence",
      "run/machines/actor-details-view.tsx": ".actor-details pre",
    },
    async open(user) {
      const { page } = user
      await user.activate(button(page, "Show all agents"))
      await inTabs(user, "Details of the run", "End")
      const machines = page.getByRole("list", { name: "Machines" }).getByRole("button")
      await user.activate(machines.last())
      await user.activate(button(page, "Close the details of the machine"))
      await user.tabTo(machines.last())
      await user.press("Enter")
    },
  },
  "call in the timeline": {
    shows: { "run/timeline/lane-row.tsx": ".call-bar.is-selected" },
    async open(user) {
      const bars = user.page.getByRole("group", { name: "Timeline" }).locator(".call-bar")
      await user.tabTo(user.page.getByRole("group", { name: "Timeline" }))
      await user.press("+", "ArrowRight", "ArrowLeft", "-")
      await user.tabTo(bars.first())
      await user.press("ArrowRight", "Enter")
      await user.page.locator(".entry-details").waitFor()
    },
  },
  "list of states": {
    shows: { "canvas/state-search.tsx": "[role=listbox] [aria-selected=true]" },
    async open(user) {
      await user.fill(user.page.getByRole("combobox", { name: "Find a state" }), "payments")
    },
  },
  "state of a run": {
    shows: { "parts/chart-view.tsx": ".drawing .is-selected" },
    async open(user) {
      const { page } = user
      await user.press("ArrowDown", "Enter")
      await page.locator(".agent-filter").waitFor()
      await user.tabTo(page.locator(drawing))
      await user.press("ArrowLeft", "ArrowDown", "+", "-", "0")
    },
  },
  past: {
    shows: { "run/time/past-banner.tsx": ".past-banner" },
    async open(user) {
      await user.tabTo(user.page.getByRole("slider", { name: "Position in the journal" }))
      await user.press("Home", "ArrowRight", "ArrowRight")
      await user.page.getByText(/^2 of \d+ records/).waitFor()
    },
  },
  fork: {
    shows: { "run/time/fork-dialog.tsx": "dialog.fork[open]" },
    async open(user) {
      const fork = button(user.page, "Fork from here…")
      await user.activate(fork)
      await isFocused(user.page, "dialog textarea")
      await user.press("Escape")
      await user.page.locator("dialog").waitFor({ state: "detached" })
      await isFocused(user.page, ".travel-actions button")
      await user.press("Enter")
      await isFocused(user.page, "dialog textarea")
    },
  },
  comparison: {
    shows: {
      "compare/compare-view.tsx": ".compare",
      "compare/compare-facts.tsx": ".compare table",
      "compare/compare-steps.tsx": ".compare .step-details",
      "compare/different-text.tsx": ".different",
    },
    async open(user) {
      await user.page.keyboard.insertText("Pay only what the contract allows.")
      await user.activate(button(user.page, "Fork and run"))
      const steps = user.page.locator(".compare-steps button")
      await user.activate(steps.first())
    },
  },
  "fork of a run": {
    shows: { "run/header/run-links.tsx": ".run-origin a" },
    async open(user) {
      await user.activate(user.page.locator(".compare-head.is-b a"))
      await statusIs(user.page, "waiting")
      await user.activate(button(user.page, "Cancel"))
      await statusIs(user.page, "cancelled")
    },
  },
  chat: {
    shows: {
      "run/chat/chat-panel.tsx": ".chat .from-agent",
      "run/header/tool-failures.tsx": ".failures[open]",
    },
    async open(user) {
      const { page } = user
      await openFile(user, "talk/workflow.json")
      await run(user)
      await isFocused(page, ".chat-form textarea")
      await page.keyboard.insertText("Ada")
      await user.press("Enter")
      await statusIs(page, "completed")
      await user.activate(page.locator(".failures > summary"))
    },
  },
  minimap: {
    shows: { "canvas/minimap.tsx": ".minimap" },
    async open(user) {
      await openFile(user, "talk/workflow.json")
      await user.tabTo(user.page.locator(drawing))
      for (let zoom = 0; zoom < 8; zoom++) await user.press("+")
    },
  },
  "text of a state": {
    shows: {
      "edit/chart-editor.tsx": ".edit-actions",
      "edit/shortcut-help.tsx": ".shortcut-help",
    },
    async open(user) {
      const { page } = user
      await user.press("0", "?", "n")
      await isSelected(page, "all")
      await page.locator(".cm-activeLine").first().waitFor()
      // The cursor in the text selects a state.
      await user.tabTo(page.locator(".cm-content"))
      await user.press("ControlOrMeta+End", "ArrowUp", "ArrowUp", "ArrowUp")
      await isSelected(page, "desk")
    },
  },
  "menu of an agent": {
    shows: { "edit/agent-menu.tsx": ".agent-menu" },
    async open(user) {
      await user.tabTo(user.page.locator(drawing))
      await user.press("ContextMenu")
      await user.page.getByRole("menu", { name: "desk" }).waitFor()
      await user.press("Escape")
      await isFocused(user.page, drawing)
      await user.press("ContextMenu", "ArrowDown")
    },
  },
  "form of a new agent": {
    shows: { "edit/edit-forms.tsx": "form[aria-label='Add an agent']" },
    async open(user) {
      await user.press("Escape", "b")
      await isFocused(user.page, ".edit-form input")
      await user.press("Escape")
      await isFocused(user.page, drawing)
      await user.press("a")
      await isFocused(user.page, ".edit-form input")
    },
  },
  "form of a wrapper": {
    shows: { "edit/edit-forms.tsx": ".edit-others input" },
    async open(user) {
      const { page } = user
      await page.keyboard.insertText("critic")
      await user.press("Enter")
      await isSelected(page, "critic")
      await isFocused(page, drawing)
      await page.locator(".edit-title small").waitFor()
      await user.press("w")
      await isFocused(page, ".edit-form input")
    },
  },
  "form of a move": {
    shows: { "edit/move-form.tsx": "form[aria-label^='Move']" },
    async open(user) {
      const { page } = user
      await page.keyboard.insertText("review")
      await user.press("Enter")
      await isSelected(page, "review")
      await page.locator(".edit-title small").waitFor()
      await user.press("n", "a")
      await isFocused(page, ".edit-form input")
      await page.keyboard.insertText("editor")
      await user.press("Enter")
      await isSelected(page, "editor")
      await page.locator(".edit-title small").waitFor()
      await user.press("p", "m")
      await isFocused(page, ".edit-form select, .edit-form input")
    },
  },
  "fields of an agent": {
    shows: {
      "edit/agent-panel.tsx": ".agent-panel",
      "edit/agent-field.tsx": ".agent-field",
      "parts/code-text.tsx": ".agent-field code",
    },
    async open(user) {
      const { page } = user
      await user.tabTo(page.locator(".edit-form").getByLabel("Agent"))
      await page.keyboard.type("desk")
      await user.activate(button(page, "Move"))
      await page.getByText("critic is now after desk.").waitFor()
      await isFocused(page, drawing)
      await page.locator(".edit-title small").waitFor()
      await user.press("Enter")
      await isFocused(page, ".agent-panel")
      await user.activate(page.locator(".agent-panel summary"))
    },
  },
  "edges of a node": {
    shows: { "edit/edges-form.tsx": "form[aria-label^='Edges']" },
    async open(user) {
      const { page } = user
      await user.press("Escape")
      await isFocused(page, drawing)
      await user.press("Delete")
      await page.locator('.drawing [data-state="critic"]').waitFor({ state: "detached" })
      await user.press("ControlOrMeta+z")
      await page.locator('.drawing [data-state="critic"]').waitFor()
      await user.press("ControlOrMeta+s")
      await page.getByText("Saved", { exact: true }).waitFor()
      await openFile(user, "graph.yaml")
      await user.tabTo(page.locator(drawing))
      await user.press("p")
      await isSelected(page, "reviewer")
      await page.locator(".edit-title small").waitFor()
      await user.press("e")
      await user.activate(button(page, "Disconnect writer from reviewer"))
      await page.getByText("writer is no longer connected to reviewer.").waitFor()
      await isFocused(page, drawing)
      await page.locator(".edit-title small").waitFor()
      await user.press("e")
    },
  },
}
