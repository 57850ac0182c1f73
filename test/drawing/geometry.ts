import type {
  Box,
  PlacedLevel,
  PlacedPicture,
  PlacedState,
} from "../../src/drawing/layout/geometry.js"
import { textWidth } from "../../src/drawing/layout/text-width.js"

type Place = Box & { readonly name: string }

/** Tolerance for rounding: an overlap of half a pixel is not visible. */
const slack = 0.5

const at = (box: Box, by: { readonly x: number; readonly y: number }, name: string): Place => ({
  name,
  x: box.x + by.x,
  y: box.y + by.y,
  width: box.width,
  height: box.height,
})

const overlap = (one: Box, other: Box): boolean =>
  one.x + slack < other.x + other.width &&
  other.x + slack < one.x + one.width &&
  one.y + slack < other.y + other.height &&
  other.y + slack < one.y + one.height

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x + slack >= outer.x &&
  inner.y + slack >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width + slack &&
  inner.y + inner.height <= outer.y + outer.height + slack

/** Returns a description of every box that overlaps another box or leaves the box that should contain it. */
export function misplaced({ root, tools, width, height }: PlacedPicture): readonly string[] {
  const problems: string[] = []
  const page: Place = { name: "the page", x: 0, y: 0, width, height }

  const apart = (boxes: readonly Place[]): void => {
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1))
        if (overlap(one, other)) problems.push(`${one.name} overlaps ${other.name}`)
    }
  }
  const within = (boxes: readonly Place[], outer: Place): void => {
    for (const box of boxes)
      if (!isWithin(box, outer)) problems.push(`${box.name} leaves ${outer.name}`)
  }

  const checkLevel = (
    level: PlacedLevel,
    by: { readonly x: number; readonly y: number },
    holder: Place,
  ): void => {
    const own = at(level, by, `a region of ${holder.name}`)
    within([own], holder)
    const states = level.states.map((state) => at(state, own, state.id))
    const marks = level.marks.map((mark) => at(mark, own, `${mark.mark} of ${holder.name}`))
    const labels = level.arrows.flatMap(({ label }) =>
      label === null ? [] : [at(label, own, `the label ${label.text.lines.join(" ")}`)],
    )
    apart([...states, ...marks, ...labels])
    within([...states, ...marks, ...labels], own)
    for (const { label } of level.arrows) {
      for (const line of label?.text.lines ?? [])
        if (textWidth(line, 11) > (label?.width ?? 0))
          problems.push(`${line} is wider than its label`)
    }
    for (const { points } of level.arrows) {
      if (points.length < 2) problems.push(`an arrow in ${holder.name} has no way`)
      within(
        points.map((point) =>
          at({ ...point, width: 0, height: 0 }, own, `an arrow of ${holder.name}`),
        ),
        own,
      )
    }
    for (const [index, state] of level.states.entries()) checkState(state, states[index] ?? own)
  }

  const checkState = (state: PlacedState, place: Place): void => {
    const text: Place = {
      name: `the text of ${state.id}`,
      x: place.x + 36,
      y: place.y + 12,
      width: Math.max(state.title.width, state.lines.width),
      height: state.title.lines.length * 18 + state.lines.lines.length * 16,
    }
    if (state.look !== "choice") within([text], place)
    const regions = state.regions.map((region, index) =>
      at(region, place, `region ${index} of ${state.id}`),
    )
    apart(state.look === "choice" ? regions : [...regions, text])
    for (const region of state.regions) checkLevel(region, place, place)
  }

  checkLevel(root, { x: 0, y: 0 }, page)
  const beside = tools.map((tool) => at(tool, { x: 0, y: 0 }, tool.id))
  apart([at(root, { x: 0, y: 0 }, "the root machine"), ...beside])
  within(beside, page)
  for (const [index, tool] of tools.entries()) checkState(tool, beside[index] ?? page)
  return problems
}
