/** Returns overlaps, cut texts and misplaced arrows in the drawing of the page. Runs in the page. */
export function geometryProblems(): {
  readonly problems: readonly string[]
  readonly states: number
} {
  interface Box {
    readonly left: number
    readonly right: number
    readonly top: number
    readonly bottom: number
  }
  const problems: string[] = []
  const svg = document.querySelector(".drawing svg")
  if (svg === null) return { problems: ["there is no drawing"], states: 0 }
  const all = [...svg.querySelectorAll("g[data-state]")]
  const boxOf = (element: Element): Box => element.getBoundingClientRect()
  const ownBox = (state: Element): Box => boxOf(state.querySelector(":scope > .box") ?? state)
  const name = (state: Element): string => state.getAttribute("data-state") ?? "?"
  const slack = 1
  const overlap = (one: Box, other: Box): boolean =>
    one.left < other.right - slack &&
    other.left < one.right - slack &&
    one.top < other.bottom - slack &&
    other.top < one.bottom - slack
  const within = (inner: Box, outer: Box): boolean =>
    inner.left >= outer.left - slack &&
    inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack &&
    inner.bottom <= outer.bottom + slack

  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if (one.contains(other)) {
        if (!within(ownBox(other), ownBox(one)))
          problems.push(`${name(other)} runs out of ${name(one)}`)
      } else if (overlap(ownBox(one), ownBox(other)))
        problems.push(`${name(one)} overlaps ${name(other)}`)
    }
    for (const text of one.querySelectorAll(":scope > text"))
      if (!within(boxOf(text), ownBox(one)))
        problems.push(`the text “${text.textContent}” runs out of ${name(one)}`)
  }
  const labels = [...svg.querySelectorAll("text.label")]
  for (const [index, label] of labels.entries()) {
    for (const other of labels.slice(index + 1))
      if (overlap(boxOf(label), boxOf(other)))
        problems.push(`the labels “${label.textContent}” and “${other.textContent}” overlap`)
    for (const state of all) {
      const holder = state.contains(label)
      if (!holder && overlap(boxOf(label), ownBox(state)))
        problems.push(`the label “${label.textContent}” lies over ${name(state)}`)
    }
  }
  for (const wire of svg.querySelectorAll<SVGPathElement>("path.wire")) {
    const matrix = wire.getScreenCTM()
    const length = wire.getTotalLength()
    if (matrix === null) continue
    const ends = [wire.getAttribute("data-from"), wire.getAttribute("data-to")]
    // An arrow may cross the states that contain it.
    const foreign = all.filter(
      (state) =>
        !state.contains(wire) &&
        !ends.includes(name(state)) &&
        !all.some(
          (end) => ends.includes(name(end)) && (end.contains(state) || state.contains(end)),
        ),
    )
    const boxes = foreign.map((state) => [state, ownBox(state)] as const)
    for (let at = 0; at <= length; at += 3) {
      const point = wire.getPointAtLength(at).matrixTransform(matrix)
      const hit = boxes.find(
        ([, box]) =>
          point.x > box.left + slack &&
          point.x < box.right - slack &&
          point.y > box.top + slack &&
          point.y < box.bottom - slack,
      )
      if (hit === undefined) continue
      problems.push(`the arrow from ${ends[0]} to ${ends[1]} goes through ${name(hit[0])}`)
      break
    }
  }
  return { problems, states: all.length }
}
