/** All distances of a drawing, in pixels. Sizes are multiples of four, so that what lies side by side is in line. */
export const measures = {
  margin: 24,
  padding: 12,
  /** Between two regions, two states, or a state and what is beside it. */
  gap: 24,
  icon: 16,
  iconGap: 8,
  mark: 16,
  choice: 24,
  title: { size: 13, line: 18 },
  line: { size: 11.5, line: 16 },
  label: { size: 11, line: 14 },
  /** Titles and lines are broken at this width, titles of what holds others at the other. */
  maxText: 260,
  maxHolderTitle: 380,
  maxLabel: 200,
  minWidth: 96,
} as const
