import type { Box, Size } from "./geometry.js"

/**
 * Arranges boxes in rows so that the total area is roughly square. `gap` is the space between
 * boxes, and `minimum` is the minimum row length. All boxes in a row get the height of the tallest
 * box.
 */
export function packBoxes<T extends Size>(
  boxes: readonly T[],
  gap: number,
  minimum: number,
): { readonly placed: readonly (T & Box)[]; readonly size: Size } {
  const area = boxes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0)
  const target = Math.max(minimum, Math.sqrt(area * 1.8), ...boxes.map(({ width }) => width))
  const placed: (T & Box)[] = []
  let y = 0
  let widest = 0
  for (const row of rowsOf(boxes, gap, target)) {
    const height = Math.max(...row.map((box) => box.height))
    let x = 0
    for (const box of row) {
      placed.push({ ...box, x, y, height })
      x += box.width + gap
    }
    widest = Math.max(widest, x - gap)
    y += height + gap
  }
  return { placed, size: { width: widest, height: Math.max(0, y - gap) } }
}

function rowsOf<T extends Size>(
  boxes: readonly T[],
  gap: number,
  target: number,
): readonly (readonly T[])[] {
  const rows: T[][] = []
  let used = Infinity
  for (const box of boxes) {
    if (used + gap + box.width > target) {
      rows.push([box])
      used = box.width
    } else {
      rows.at(-1)?.push(box)
      used += gap + box.width
    }
  }
  return rows
}
