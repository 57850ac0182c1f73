import type { StateLook } from "../picture/picture.js"
import type { StateColors } from "../picture/state-colors.js"
import { stateColors } from "../picture/state-colors.js"

export type Theme = "auto" | "light" | "dark"

const page: Readonly<Record<"light" | "dark", Readonly<Record<string, string>>>> = {
  light: { page: "#ffffff", ink: "#334155", wire: "#7b8aa1", handoff: "#db2777", alarm: "#dc2626" },
  dark: { page: "#0d1117", ink: "#cbd5e1", wire: "#74839a", handoff: "#f472b6", alarm: "#f87171" },
}

/**
 * Returns the CSS rules for the kinds of states that a drawing uses. With the theme `auto`, the CSS
 * contains light and dark colors, and the color preference of the viewer selects between them.
 */
export function styleSheet(used: ReadonlySet<StateLook>, theme: Theme): string {
  const shown = (Object.entries(stateColors) as [StateLook, StateColors][])
    .filter(([look]) => used.has(look))
    .map(([, look]) => look)
  const values = (mode: "light" | "dark"): ReadonlyMap<string, string> =>
    new Map([
      ...Object.entries(page[mode]),
      ...shown.flatMap((look) =>
        look[mode].map(
          (value, index) => [`${look.name}-${["fill", "line", "text"][index]}`, value] as const,
        ),
      ),
    ])
  const rules = [
    "text{font-family:Inter,'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif}",
    ".page{fill:var(--page)}",
    ".title{font-size:13px;font-weight:600}",
    ".line{font-size:11.5px;opacity:.82}",
    ".label{font-size:11px;fill:var(--ink)}",
    ".wire{fill:none;stroke:var(--wire);stroke-width:1.5}",
    ".head,.mark{fill:var(--wire)}",
    ".of-handoff{stroke:var(--handoff)}",
    ".of-failure{stroke:var(--alarm)}",
    ".of-tool{stroke-dasharray:5 4}",
    ".of-handoff+.head{fill:var(--handoff)}",
    ".of-failure+.head{fill:var(--alarm)}",
    ".ring{fill:none;stroke:var(--wire);stroke-width:1.5}",
    ".icon{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}",
    ".box{stroke-width:1.25}",
    ".holder{fill-opacity:.35}",
    ".region{fill:none;stroke-width:1.25;stroke-dasharray:5 4;opacity:.75}",
    ".dashed{stroke-dasharray:5 4}",
    ...shown.flatMap(({ name }) => [
      `.${name}>.box{fill:var(--${name}-fill);stroke:var(--${name}-line)}`,
      `.${name}>.region,.${name}>.icon{stroke:var(--${name}-line)}`,
      `.${name}>.title,.${name}>.line{fill:var(--${name}-text)}`,
    ]),
  ]
  const variables = (mode: "light" | "dark"): string =>
    `svg{${[...values(mode)].map(([name, value]) => `--${name}:${value}`).join(";")}}`
  if (theme === "auto")
    return [
      variables("light"),
      `@media (prefers-color-scheme:dark){${variables("dark")}}`,
      ...rules,
    ].join("\n")
  const known = values(theme)
  return rules
    .map((rule) =>
      rule.replace(/var\(--([\w-]+)\)/g, (_, name: string) => known.get(name) ?? "none"),
    )
    .join("\n")
}
