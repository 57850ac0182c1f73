import { AgentStatechartsError } from "../../errors.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** Maximum number of pixels in a PNG file. Larger drawings are scaled down. */
const maxPixels = 60_000_000

/** Scale factor of a PNG drawing, relative to the SVG drawing. It makes small text sharp. */
const defaultScale = 2

/** Renders an SVG drawing as PNG without a browser. Text uses the fonts of this system. */
export async function svgToPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await load()
  const font = { loadSystemFonts: true }
  // Without fonts the renderer silently omits all text.
  const probe = new Resvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text x="9" y="60" font-family="sans-serif" font-size="40">M</text></svg>',
    { font },
  )
  if (probe.innerBBox() === undefined)
    throw new UsageProblem(
      "A PNG needs a font, and this system has none. Install one, such as DejaVu Sans (fonts-dejavu-core), or draw an SVG.",
    )
  const drawing = new Resvg(svg, { font })
  const zoom = Math.min(defaultScale, Math.sqrt(maxPixels / (drawing.width * drawing.height)))
  return new Resvg(svg, { font, fitTo: { mode: "zoom", value: zoom } }).render().asPng()
}

async function load(): Promise<typeof import("@resvg/resvg-js")> {
  try {
    return await import("@resvg/resvg-js")
  } catch (cause) {
    throw new AgentStatechartsError(
      "drawing_package_missing",
      'Drawings as PNG are made by "@resvg/resvg-js", which is not installed. Install it: npm install @resvg/resvg-js@2.6.2',
      { cause },
    )
  }
}
