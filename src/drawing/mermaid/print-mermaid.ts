import { mermaidText } from "./mermaid-text.js"
import type { StateColors } from "../picture/state-colors.js"
import { stateColors } from "../picture/state-colors.js"
import type {
  Arrow,
  DrawingDirection,
  Level,
  Picture,
  PictureState,
  StateLook,
} from "../picture/picture.js"

const maxTitle = 80
const maxLine = 60
const maxLabel = 90

/** Converts a picture (nested states and arrows) to the text of a Mermaid `stateDiagram-v2`. */
export function printMermaid(
  { root, tools }: Picture,
  direction: DrawingDirection = "down",
): string {
  const start = direction === "right" ? ["direction LR"] : []
  const lines = [
    "stateDiagram-v2",
    ...start,
    ...printLevel(root),
    ...tools.flatMap(printState),
  ].map((line, index) => (index === 0 ? line : `  ${line}`))
  return `${[...lines, ...printClasses([...root.states, ...tools])].join("\n")}\n`
}

function printLevel({ states, arrows }: Level): readonly string[] {
  return [...states.flatMap(printState), ...arrows.map(printArrow)]
}

/**
 * Returns the Mermaid lines that declare a state and its contents. All states must be declared
 * before the arrows, because Mermaid creates a plain state for an unknown id in an arrow.
 */
function printState({ id, look, title, lines, regions }: PictureState): readonly string[] {
  if (look === "choice") return [`state ${id} <<choice>>`]
  const name = `state "${mermaidText(title, maxTitle)}" as ${id}`
  if (regions.length === 0)
    return [name, ...lines.map((line) => `${id} : ${mermaidText(line, maxLine)}`)]
  const body = regions.flatMap((region, index) => [
    ...(index === 0 ? [] : ["--"]),
    ...printLevel(region),
  ])
  return [`${name} {`, ...body.map((line) => `  ${line}`), "}"]
}

function printArrow({ from, to, labels }: Arrow): string {
  const label = labels.map((text) => mermaidText(text, maxLabel)).join("<br/>or ")
  return `${from ?? "[*]"} --> ${to ?? "[*]"}${label === "" ? "" : ` : ${label}`}`
}

/**
 * Returns the Mermaid class definitions with the colors of the states, which are the same as in SVG
 * drawings. An atomic state has a background, a border and a text color that are readable in light
 * and dark mode. A composite state has only a border color, because its content is drawn on the
 * background of the page.
 */
function printClasses(states: readonly PictureState[]): readonly string[] {
  const atoms = new Map<StateLook, string[]>()
  const composites = new Map<StateLook, string[]>()
  const visit = ({ id, look, regions }: PictureState): void => {
    const ids = regions.length === 0 ? atoms : composites
    const known = ids.get(look)
    if (known === undefined) ids.set(look, [id])
    else known.push(id)
    for (const region of regions) region.states.forEach(visit)
  }
  states.forEach(visit)
  const looks = Object.entries(stateColors) as [StateLook, StateColors][]
  return looks.flatMap(([look, { name, light, isDashed }]) => {
    if (look === "choice") return []
    const [fill, line, text] = light
    const [single, outer] = [atoms.get(look), composites.get(look)]
    const dashed = isDashed === true ? ",stroke-dasharray:5 4" : ""
    return [
      ...printClass(single, name, `fill:${fill},stroke:${line},color:${text}`),
      ...printClass(outer, single === undefined ? name : `${name}Group`, `stroke:${line}${dashed}`),
    ]
  })
}

const printClass = (
  members: readonly string[] | undefined,
  name: string,
  style: string,
): readonly string[] =>
  members === undefined
    ? []
    : [`  classDef ${name} ${style}`, `  class ${members.join(",")} ${name}`]
