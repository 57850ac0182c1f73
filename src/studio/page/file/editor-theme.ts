import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import type { Extension } from "@codemirror/state"
import { tags } from "@lezer/highlight"

/**
 * CodeMirror extension with syntax colors for JSON and YAML. The colors are CSS variables with
 * different values in light and dark mode.
 */
export const editorColors: Extension = syntaxHighlighting(
  HighlightStyle.define([
    {
      tag: [tags.propertyName, tags.definition(tags.propertyName)],
      color: "var(--syntax-key)",
    },
    { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--syntax-string)" },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--syntax-number)" },
    { tag: [tags.comment, tags.meta], color: "var(--quiet)", fontStyle: "italic" },
    { tag: [tags.punctuation, tags.separator, tags.brace], color: "var(--quiet)" },
    { tag: tags.invalid, color: "var(--bad)" },
  ]),
)
