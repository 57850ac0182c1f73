/** Pictures of charts, made from nothing but the chart's JSON. */
export { drawMermaid } from "./draw-mermaid.js"
export type { DrawOptions } from "./draw-mermaid.js"
export { drawSvg } from "./draw-svg.js"
export type { SvgOptions } from "./draw-svg.js"
