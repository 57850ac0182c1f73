import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { Extension } from "@codemirror/state"
import { EditorState } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import { hoverTooltip } from "@codemirror/view"
import type { EditorCompletions, EditorHover, EditorOption } from "../../api.js"
import { fetchJson } from "../client/fetch-json.js"

/**
 * Returns a CodeMirror extension that completes the fields and values of a config, and describes
 * the field under the pointer. `path` is the path of the config file.
 */
export function configHelp(path: string): Extension {
  // The editor compares sources by identity, so the list is created once.
  const data = [{ autocomplete: (context: CompletionContext) => complete(path, context) }]
  return [
    EditorState.languageData.of(() => data),
    hoverTooltip((view, offset) => explain(path, view, offset)),
  ]
}

const word = /[\w$.-]*$/

async function complete(
  path: string,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const typed = context.matchBefore(word)?.text ?? ""
  const isAfterQuote = context.matchBefore(/["']/) !== null
  if (!context.explicit && typed === "" && !isAfterQuote) return null
  const controller = new AbortController()
  context.addEventListener("abort", () => controller.abort())
  const { completions } = await fetchJson<{ readonly completions: EditorCompletions | null }>(
    "/completions",
    {
      method: "POST",
      body: { file: path, text: context.state.doc.toString(), offset: context.pos },
      signal: controller.signal,
    },
  )
  if (completions === null) return null
  return {
    from: completions.from,
    options: completions.options.map(toCompletion),
    validFor: /^[\w$.-]*$/,
  }
}

const toCompletion = ({ label, description, insert }: EditorOption): Completion => ({
  label,
  type: description === "" ? "constant" : "property",
  ...(description !== "" && { info: description }),
  apply: (view, _completion, from, to) => replace(view, from, to, insert),
})

/**
 * Replaces a word and the quotes around it with `insert`. If a colon already follows the word, the
 * colon at the end of `insert` is omitted, so that the text does not contain two colons.
 */
function replace(view: EditorView, from: number, to: number, insert: string): void {
  const { doc } = view.state
  const isQuote = (text: string): boolean => text === '"' || text === "'"
  const end = to + (/^[\w$.-]*/.exec(doc.sliceString(to, to + 200))?.[0].length ?? 0)
  const start = isQuote(doc.sliceString(from - 1, from)) ? from - 1 : from
  const after = isQuote(doc.sliceString(end, end + 1)) ? end + 1 : end
  const hasColon = /^\s*:/.test(doc.sliceString(after, after + 20))
  const text = hasColon ? insert.replace(/: $/, "") : insert
  view.dispatch({
    changes: { from: start, to: after, insert: text },
    selection: { anchor: start + text.length },
    userEvent: "input.complete",
  })
}

async function explain(path: string, view: EditorView, offset: number) {
  const { hover } = await fetchJson<{ readonly hover: EditorHover | null }>("/hover", {
    method: "POST",
    body: { file: path, text: view.state.doc.toString(), offset },
  })
  if (hover === null) return null
  return {
    pos: hover.from,
    end: hover.to,
    above: true,
    create: () => {
      const dom = document.createElement("div")
      dom.className = "field-help"
      const name = document.createElement("strong")
      name.textContent = hover.name
      dom.append(name, ` ${hover.description}`)
      return { dom }
    },
  }
}
