import { measures } from "../layout/measures.js"
import type { PlacedArrow, PlacedPicture, PlacedState } from "../layout/geometry.js"
import { textWidth } from "../layout/text-width.js"
import { stateColors } from "../picture/state-colors.js"
import type { ArrowKind, StateLook } from "../picture/picture.js"
import { iconPath } from "./icons.js"
import { px, svgLines } from "./svg-text.js"

const { gap, icon, label, mark } = measures

/** Name of each kind of state in the legend. Kinds with the same name share one legend entry. */
const lookNames: Readonly<Record<StateLook, string>> = {
  LlmAgent: "LLM agent",
  HumanAgent: "person",
  SequentialAgent: "sequence",
  ParallelAgent: "parallel branches",
  LoopAgent: "loop",
  Workflow: "graph",
  CustomAgent: "host code",
  MachineAgent: "state machine",
  WorkflowAgent: "other workflow",
  WaitAgent: "wait",
  FunctionNode: "function",
  RouterNode: "router",
  ToolNode: "tool",
  JoinNode: "join",
  TaskGraph: "graph",
  team: "team with handoffs",
  tool: "agent tool",
  choice: "decision",
  resting: "idle",
  exit: "early end",
  limit: "limit",
  ending: "failure",
}

const arrowNames: Readonly<Record<ArrowKind, string>> = {
  handoff: "handoff",
  failure: "failure",
  tool: "call of an agent tool",
}

/** Height of one line of the legend, in pixels. */
const row = 24

const swatch = 20

export interface Legend {
  readonly lines: readonly string[]
  readonly height: number
  readonly width: number
}

interface LegendEntry {
  readonly name: string
  /**
   * SVG elements of the symbol that is drawn next to `name`. The symbol has the width of the
   * constant `swatch` and the height of the constant `icon`, in pixels.
   */
  readonly shape: readonly string[]
}

/**
 * Returns a legend of all kinds of states and arrows in a picture, and of folded states if there
 * are any. The legend is placed below the picture.
 */
export function paintLegend(picture: PlacedPicture): Legend {
  const entries = entriesOf(picture)
  const widths = entries.map(({ name }) => swatch + 8 + textWidth(name, label.size) + gap)
  const room = Math.max(
    picture.width,
    Math.min(
      420,
      widths.reduce((sum, one) => sum + one, 0),
    ),
  )
  const top = picture.height + gap
  let [x, y, width] = [0, top, 0]
  const lines = entries.flatMap(({ name, shape }, index) => {
    const own = widths[index] ?? 0
    if (x > 0 && x + own - gap > room) {
      x = 0
      y += row
    }
    const drawn = [
      `<g transform="translate(${px(x)} ${px(y)})">`,
      ...shape,
      ...svgLines([name], { x: swatch + 8, y: 1, ...label, name: "label" }),
      "</g>",
    ]
    x += own
    width = Math.max(width, x - gap)
    return drawn
  })
  return { lines, height: y + row, width }
}

function entriesOf({ root, tools }: PlacedPicture): readonly LegendEntry[] {
  const looks = new Set<StateLook>()
  const arrows = new Set<ArrowKind>()
  let isFolded = false
  const addArrows = (all: readonly PlacedArrow[]): void => {
    for (const { kind } of all) if (kind !== null) arrows.add(kind)
  }
  const visit = ({ look, regions, folded }: PlacedState): void => {
    looks.add(look)
    isFolded ||= folded
    for (const level of regions) {
      addArrows(level.arrows)
      level.states.forEach(visit)
    }
  }
  addArrows(root.arrows)
  root.states.forEach(visit)
  tools.forEach(visit)
  const named = new Map(
    [...looks].map((look) => [lookNames[look], { name: lookNames[look], shape: lookShape(look) }]),
  )
  const [r, middle] = [mark / 2, icon / 2]
  return [
    { name: "start", shape: [`<circle class="mark" cx="${r}" cy="${middle}" r="${r - 2}"/>`] },
    ...named.values(),
    ...[...arrows]
      .filter((kind) => !named.has(arrowNames[kind]))
      .map((kind) => ({ name: arrowNames[kind], shape: arrowShape(kind) })),
    ...(isFolded
      ? [
          {
            name: "folded, with the number of its agents",
            shape: [
              `<g class="sequence"><rect class="box" x="3" y="3" width="14" height="12" rx="2"/><rect class="box" width="14" height="12" rx="2"/></g>`,
            ],
          },
        ]
      : []),
    {
      name: "end",
      shape: [
        `<circle class="ring" cx="${r}" cy="${middle}" r="${r - 1}"/><circle class="mark" cx="${r}" cy="${middle}" r="${r - 4}"/>`,
      ],
    },
  ]
}

function lookShape(look: StateLook): readonly string[] {
  const { name, isDashed } = stateColors[look]
  return look === "choice"
    ? [`<g class="${name}"><path class="box" d="M8 0L16 8L8 16L0 8z"/></g>`]
    : [
        `<g class="${name}"><rect class="box${isDashed === true ? " dashed" : ""}" width="${swatch}" height="${icon}" rx="3"/><path class="icon" transform="translate(4 2) scale(0.75)" d="${iconPath(look)}"/></g>`,
      ]
}

const arrowShape = (kind: ArrowKind): readonly string[] => [
  `<path class="wire of-${kind}" d="M0 8L14 8"/>`,
  `<path class="head" d="M20 8L12 11.5L12 4.5z"/>`,
]
