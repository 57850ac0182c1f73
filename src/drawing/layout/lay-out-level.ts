import type { DrawingDirection } from "../picture/picture.js"
import type { ElkExtendedEdge, LayoutOptions } from "elkjs/lib/elk-api.js"
import type { ChainFolding } from "./chain-level.js"
import { chainOf, layOutChain } from "./chain-level.js"
import type { LayoutEngine } from "./layout-engine.js"
import type { LevelArrow } from "./level-arrows.js"
import { measures } from "./measures.js"
import { packBoxes } from "./pack-boxes.js"
import type {
  PlacedArrow,
  PlacedLabel,
  PlacedLevel,
  PlacedMark,
  PlacedState,
  Point,
  Size,
  WrittenState,
} from "./geometry.js"
import type { SpineArrow } from "./spine.js"
import { spineOf } from "./spine.js"
import { layOutSpine } from "./spine-level.js"
import { handoffLevelOf, layOutHandoffs } from "./team-level.js"
import { transposeLevel, transposeSize, transposeStates } from "./transpose.js"
import type { TextBlock } from "./wrap-text.js"
import { wrapText } from "./wrap-text.js"

const { gap, mark, label: labelText, maxLabel } = measures

/**
 * Returns the options of the layout engine ELK. The layers follow the order of the states in the
 * chart. Arrows against this order are drawn as back edges.
 */
const layoutOptions = (direction: DrawingDirection): LayoutOptions => ({
  "elk.algorithm": "layered",
  "elk.direction": direction === "down" ? "DOWN" : "RIGHT",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.padding": "[top=0,left=0,bottom=0,right=0]",
  "elk.randomSeed": "1",
  "elk.aspectRatio": "1.6",
  "elk.spacing.nodeNode": "28",
  "elk.spacing.componentComponent": String(gap),
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeEdge": "12",
  "elk.spacing.edgeLabel": "4",
  "elk.spacing.labelNode": "8",
  "elk.layered.spacing.nodeNodeBetweenLayers": "28",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
  "elk.layered.nodePlacement.favorStraightEdges": "true",
  "elk.layered.edgeLabels.centerLabelPlacementStrategy": "MEDIAN_LAYER",
})

const begin = "[begin]"
const end = "[end]"

/**
 * Id of the ELK port (connection point) at the end mark. All arrows to the end mark share this
 * port, so that they join in one line.
 */
const endPort = "[end port]"

/**
 * Computes the positions of sibling states and the routes of the arrows between them. The origin is
 * the top left corner of the area.
 */
export async function layOutLevel(
  states: readonly WrittenState[],
  arrows: readonly LevelArrow[],
  engine: LayoutEngine,
  direction: DrawingDirection,
): Promise<PlacedLevel> {
  if (arrows.length === 0) {
    const { placed, size } = packBoxes(states, gap, 0)
    return { x: 0, y: 0, ...size, states: placed, marks: [], arrows: [] }
  }
  const isDown = direction === "down"
  const downwards = isDown ? states : transposeStates(states)
  const labels = arrows.map(labelOf)
  const placed = simpleLevel(
    downwards,
    arrows.map((arrow, index): SpineArrow => {
      const text = labels[index] ?? null
      const room = roomOf(text)
      return { ...arrow, text, room: isDown ? room : transposeSize(room) }
    }),
    isDown ? { longest: 1100, ratio: 1.5 } : { longest: 1800, ratio: 0.6 },
  )
  if (placed !== null) return isDown ? placed : transposeLevel(placed)
  const marks = [
    ...(arrows.some(({ from }) => from === null) ? [begin] : []),
    ...(arrows.some(({ to }) => to === null) ? [end] : []),
  ]
  const done = await engine({
    id: "level",
    layoutOptions: layoutOptions(direction),
    children: [
      ...marks
        .filter((id) => id === begin)
        .map((id) => ({
          id,
          width: mark,
          height: mark,
          layoutOptions: { "elk.layered.layering.layerConstraint": "FIRST" },
        })),
      ...states.map(({ id, width, height }) => ({ id, width, height })),
      ...marks
        .filter((id) => id === end)
        .map((id) => ({
          id,
          width: mark,
          height: mark,
          ports: [{ id: endPort, width: 0, height: 0 }],
          layoutOptions: { "elk.layered.layering.layerConstraint": "LAST" },
        })),
    ],
    edges: arrows.map(({ from, to }, index) =>
      edgeOf(index, from ?? begin, to ?? endPort, labels[index] ?? null),
    ),
  })
  const nodes = new Map((done.children ?? []).map((node) => [node.id, node]))
  const edges = new Map((done.edges ?? []).map((edge) => [edge.id, edge]))
  const pointOf = (id: string): Point => ({ x: nodes.get(id)?.x ?? 0, y: nodes.get(id)?.y ?? 0 })
  return {
    x: 0,
    y: 0,
    width: done.width ?? 0,
    height: done.height ?? 0,
    states: states.map((state): PlacedState => ({ ...state, ...pointOf(state.id) })),
    marks: marks.map((id): PlacedMark => ({
      mark: id === begin ? "begin" : "end",
      ...pointOf(id),
      width: mark,
      height: mark,
    })),
    arrows: arrows.map(({ from, to, both, kind = null }, index) => ({
      from,
      to,
      both,
      kind,
      ...placeArrow(edges.get(String(index)), labels[index] ?? null),
    })),
  }
}

/**
 * Lays out sibling states from top to bottom if they form a sequence, a handoff team, or a spine (a
 * path of arrows through all states). Returns null for any other arrangement, which needs the
 * layout engine.
 */
function simpleLevel(
  states: readonly WrittenState[],
  arrows: readonly SpineArrow[],
  folding: ChainFolding,
): PlacedLevel | null {
  const chain = chainOf(states, arrows)
  if (chain !== null) return layOutChain(chain, folding)
  const team = handoffLevelOf(states, arrows)
  if (team !== null) return layOutHandoffs(team)
  const spine = spineOf(states, arrows)
  return spine === null ? null : layOutSpine(spine)
}

/**
 * Returns the wrapped label of an arrow. Returns null if the arrow has no label. Handoffs have no
 * label, because their color identifies them.
 */
function labelOf({ labels: texts, kind }: LevelArrow): TextBlock | null {
  if (texts.length === 0 || kind === "handoff") return null
  const blocks = texts.map((text, index) =>
    wrapText(index === 0 ? text : `or ${text}`, { ...labelText, maxWidth: maxLabel, maxLines: 4 }),
  )
  const shown =
    blocks.length > 4
      ? [
          ...blocks.slice(0, 3),
          wrapText(`or ${blocks.length - 3} more`, {
            ...labelText,
            maxWidth: maxLabel,
            maxLines: 1,
          }),
        ]
      : blocks
  const isWhole = shown === blocks && blocks.every(({ whole }) => whole === null)
  return {
    lines: shown.flatMap(({ lines }) => lines),
    width: Math.max(...shown.map(({ width }) => width)),
    whole: isWhole ? null : blocks.map(({ whole, lines }) => whole ?? lines.join(" ")).join(" "),
  }
}

/** Minimum space between a label and its arrow line, in pixels. */
const around = 4

const roomOf = (text: TextBlock | null): Size =>
  text === null
    ? { width: 0, height: 0 }
    : {
        width: Math.ceil(text.width) + 2 * around,
        height: text.lines.length * labelText.line + 2,
      }

function edgeOf(index: number, from: string, to: string, text: TextBlock | null): ElkExtendedEdge {
  const labels = text === null ? [] : [{ text: "label", ...roomOf(text) }]
  return { id: String(index), sources: [from], targets: [to], labels }
}

function placeArrow(
  edge: ElkExtendedEdge | undefined,
  text: TextBlock | null,
): Pick<PlacedArrow, "points" | "label"> {
  const points = (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
  const [box] = edge?.labels ?? []
  const label: PlacedLabel | null =
    text === null || box === undefined
      ? null
      : { text, x: box.x ?? 0, y: box.y ?? 0, width: box.width ?? 0, height: box.height ?? 0 }
  return { points: points.map(({ x, y }) => ({ x, y })), label }
}
