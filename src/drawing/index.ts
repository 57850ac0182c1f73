/**
 * Functions that draw a chart as SVG, Mermaid, XState source, SCXML or JSON. They only read the
 * JSON of the chart.
 */
export { drawMermaid } from "./mermaid/draw-mermaid.js"
export type { MermaidOptions } from "./mermaid/draw-mermaid.js"
export type { DrawOptions } from "./chart/read-picture.js"
export { drawSvg } from "./svg/draw-svg.js"
export type { SvgOptions } from "./svg/draw-svg.js"
export { drawXstate } from "./export/draw-xstate.js"
export { drawScxml } from "./export/draw-scxml.js"
export { drawPicture } from "./chart/draw-picture.js"
export type {
  Arrow,
  ArrowKind,
  DrawingDetail,
  DrawingDirection,
  Level,
  Picture,
  PictureState,
  StateLook,
} from "./picture/picture.js"
