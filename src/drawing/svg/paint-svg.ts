import type { StateLook } from "../picture/picture.js"
import type { Theme } from "./colors.js"
import { stateColors } from "../picture/state-colors.js"
import { styleSheet } from "./colors.js"
import { iconPath } from "./icons.js"
import { measures } from "../layout/measures.js"
import { paintArrow } from "./paint-arrow.js"
import type { PlacedLevel, PlacedMark, PlacedPicture, PlacedState } from "../layout/geometry.js"
import type { Legend } from "./paint-legend.js"
import { paintLegend } from "./paint-legend.js"
import { facts, px, svgLines, tooltip, xmlText } from "./svg-text.js"

const { margin, padding, icon, iconGap, title, line, mark } = measures

export interface Painting {
  /** Title of the SVG file, which screen readers read aloud. */
  readonly name: string
  readonly theme: Theme
  readonly hasLegend: boolean
}

/**
 * Converts a picture whose states and arrows have positions to the text of a self-contained SVG
 * file.
 */
export function paintSvg(picture: PlacedPicture, { name, theme, hasLegend }: Painting): string {
  const { root, tools } = picture
  const legend: Legend = hasLegend ? paintLegend(picture) : { lines: [], width: 0, height: 0 }
  const width = Math.max(picture.width, legend.width)
  const height = Math.max(picture.height, legend.height)
  const [w, h] = [px(Math.ceil(width + 2 * margin)), px(Math.ceil(height + 2 * margin))]
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img">`,
    `<title>${xmlText(name)}</title>`,
    `<style>\n${styleSheet(looksOf(root, tools, hasLegend), theme)}\n</style>`,
    `<rect class="page" width="${w}" height="${h}"/>`,
    `<g transform="translate(${margin} ${margin})">`,
    ...paintLevel(root),
    ...tools.flatMap(paintState),
    ...legend.lines,
    "</g>",
    "</svg>",
  ]
  return `${lines.join("\n")}\n`
}

function looksOf(
  root: PlacedLevel,
  tools: readonly PlacedState[],
  hasLegend: boolean,
): ReadonlySet<StateLook> {
  // The legend shows folded states in the colors of a sequence.
  const used = new Set<StateLook>(hasLegend ? ["SequentialAgent"] : [])
  const visit = ({ look, regions }: PlacedState): void => {
    used.add(look)
    for (const { states } of regions) states.forEach(visit)
  }
  root.states.forEach(visit)
  tools.forEach(visit)
  return used
}

const moved = (
  corner: { readonly x: number; readonly y: number },
  name: string,
  inner: readonly string[],
  description = "",
): readonly string[] => [
  `<g${name === "" ? "" : ` class="${name}"`}${description} transform="translate(${px(corner.x)} ${px(corner.y)})">`,
  ...inner,
  "</g>",
]

/**
 * Returns the SVG elements of a level, which consists of sibling states and the arrows between
 * them. Labels are last, so that no other element covers them.
 */
function paintLevel(level: PlacedLevel): readonly string[] {
  const arrows = level.arrows.map(paintArrow)
  return moved(level, "", [
    ...arrows.flatMap(({ wire }) => wire),
    ...level.marks.map(paintMark),
    ...level.states.flatMap(paintState),
    ...arrows.flatMap(({ label }) => label),
  ])
}

function paintMark({ mark: kind, x, y }: PlacedMark): string {
  const [cx, cy, r] = [px(x + mark / 2), px(y + mark / 2), mark / 2]
  const dot = `<circle class="mark" cx="${cx}" cy="${cy}" r="${kind === "begin" ? r - 2 : r - 4}"/>`
  const ring = `<circle class="ring" cx="${cx}" cy="${cy}" r="${r - 1}"/>`
  return `<g data-mark="${kind}">${kind === "begin" ? "" : ring}${dot}</g>`
}

function paintState(state: PlacedState): readonly string[] {
  const { look, width, height, regions } = state
  const description = facts({
    state: state.id,
    agents: state.agents.length === 0 ? null : state.agents.join(" "),
    folded: state.folded ? "true" : null,
  })
  if (look === "choice")
    return moved(
      state,
      stateColors.choice.name,
      [
        `<path class="box" d="M${px(width / 2)} 0L${px(width)} ${px(height / 2)}L${px(width / 2)} ${px(height)}L0 ${px(height / 2)}z">${tooltip(state.title.whole)}</path>`,
      ],
      description,
    )
  const names = [
    "box",
    ...(regions.length === 0 ? [] : ["holder"]),
    ...(stateColors[look].isDashed === true ? ["dashed"] : []),
  ]
  const card = (offset: number): string =>
    `<rect class="${names.join(" ")}" x="${offset}" y="${offset}" width="${px(width)}" height="${px(height)}" rx="8"/>`
  const frames =
    regions.length < 2
      ? []
      : regions.map(
          (box) =>
            `<rect class="region" x="${px(box.x)}" y="${px(box.y)}" width="${px(box.width)}" height="${px(box.height)}" rx="6"/>`,
        )
  // A composite state is filled with the background color of the page, not of its container.
  const ground =
    regions.length === 0
      ? []
      : [`<rect class="page" width="${px(width)}" height="${px(height)}" rx="8"/>`]
  return moved(
    state,
    stateColors[look].name,
    [
      ...ground,
      ...(state.folded ? [card(4)] : []),
      card(0),
      ...frames,
      ...paintHead(state),
      ...regions.flatMap(paintLevel),
    ],
    description,
  )
}

/** Returns the SVG elements for the icon, the title and the text lines of a state. */
function paintHead({ look, title: head, lines }: PlacedState): readonly string[] {
  const x = padding + icon + iconGap
  return [
    `<path class="icon" transform="translate(${padding} ${padding + (title.line - icon) / 2})" d="${iconPath(look)}"/>`,
    ...svgLines(head.lines, { x, y: padding, ...title, weight: "bold", name: "title" }),
    ...svgLines(lines.lines, {
      x,
      y: padding + head.lines.length * title.line + 4,
      ...line,
      name: "line",
    }),
    ...(head.whole === null && lines.whole === null
      ? []
      : [
          tooltip(
            [head.whole ?? head.lines.join(" "), lines.whole ?? lines.lines.join("; ")].join(": "),
          ),
        ]),
  ]
}
