import { useEffect, useState } from "preact/hooks"
import type { CompiledText, FileWithText } from "../../api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"

/** Delay in milliseconds between the last change of the text and its compilation. */
const compileDelay = 250

/** The result of compiling the text in the editor. */
export interface TextCheck {
  readonly compiled: CompiledText | null
  /** Whether the result in `compiled` belongs to the current text. */
  readonly isCurrent: boolean
  /**
   * The drawing of the latest text that compiled without errors. Null until a text has compiled.
   */
  readonly svg: string | null
  readonly error: string | null
}

/**
 * Hook that compiles the text of a workflow file after each change. `isScripted` selects whether
 * scripted responses are used instead of real services.
 */
export function useCheck(file: FileWithText | null, text: string, isScripted: boolean): TextCheck {
  const [checked, setChecked] = useState<{
    readonly of: string
    readonly compiled: CompiledText
  } | null>(null)
  const [svg, setSvg] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const path = file?.path
  const isAllowed = file?.module?.isAllowed === true
  const subject = JSON.stringify([path, text, isScripted, isAllowed])

  useEffect(() => {
    if (path === undefined) return
    const controller = new AbortController()
    const timer = setTimeout(
      () => {
        fetchJson<CompiledText>("/check", {
          method: "POST",
          body: { file: path, text, scripted: isScripted },
          signal: controller.signal,
        }).then(
          (compiled) => {
            setChecked({ of: subject, compiled })
            if (compiled.svg !== null) setSvg(compiled.svg)
            setError(null)
          },
          (cause: unknown) => {
            if (!controller.signal.aborted) setError(messageOf(cause))
          },
        )
      },
      checked === null ? 0 : compileDelay,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [subject])

  return {
    compiled: checked?.compiled ?? null,
    isCurrent: checked?.of === subject,
    svg,
    error,
  }
}
