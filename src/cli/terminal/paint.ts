import { styleText } from "node:util"

const styles = {
  bold: "bold",
  dim: "dim",
  success: "green",
  error: "red",
  warning: "yellow",
  active: "cyan",
} as const

/** Functions that add terminal colors and styles to a text, by the meaning of the text. */
export type Paint = Readonly<Record<keyof typeof styles, (text: string) => string>>

/**
 * Creates the functions that style texts. If `hasColors` is false, each function returns its text
 * unchanged.
 */
export function createPaint(hasColors: boolean): Paint {
  const paintAs = (style: keyof typeof styles) => (text: string) =>
    // The terminal has decided about colors, so styleText must not check the stream again.
    hasColors && text !== "" ? styleText(styles[style], text, { validateStream: false }) : text
  return {
    bold: paintAs("bold"),
    dim: paintAs("dim"),
    success: paintAs("success"),
    error: paintAs("error"),
    warning: paintAs("warning"),
    active: paintAs("active"),
  }
}
