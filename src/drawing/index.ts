/** Pictures of charts, made from nothing but the chart's JSON. */
export { drawMermaid } from "./draw-mermaid.js"
export type { DrawOptions } from "./draw-mermaid.js"
export { drawSvg } from "./draw-svg.js"
export type { SvgOptions } from "./draw-svg.js"
export { drawXstate } from "./source/draw-xstate.js"
export { drawScxml } from "./source/draw-scxml.js"
export { drawPicture } from "./draw-picture.js"
export type { Arrow, Level, Picture, PictureState, StateLook } from "./picture.js"
