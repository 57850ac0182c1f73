import { useEffect, useRef, useState } from "preact/hooks"
import { ClientError } from "../../../client/client-error.js"
import type { FileWithText } from "../../api.js"
import { readDraft, storeDraft } from "../client/drafts.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"

/** A workflow file in the editor, with functions that change and save it. */
export interface EditedFile {
  /** The file on disk when it was last opened or saved. Null until it is loaded. */
  readonly file: FileWithText | null
  /** The text in the editor, which may contain unsaved changes. */
  readonly text: string
  readonly isSaved: boolean
  /** Whether another program has changed the file since the user began to edit it. */
  readonly isChangedOnDisk: boolean
  readonly error: string | null
  edit(text: string): void
  /**
   * Saves the text to the file. If another program has changed the file on disk, the file is
   * replaced only if `overwrite` is true. Otherwise, `isChangedOnDisk` becomes true.
   */
  save(overwrite?: boolean): Promise<void>
  /** Discards the unsaved changes and loads the file again. */
  discard(): void
  /**
   * Whether the user allows the studio to import the module with host functions in the file's
   * folder. It may differ from `file.module.isAllowed` until the server has stored a change.
   */
  readonly isModuleAllowed: boolean
  /** Allows or forbids the studio to import the module with host functions in the file's folder. */
  allowModule(isAllowed: boolean): Promise<void>
}

/**
 * Hook that loads a workflow file for editing. The browser tab stores unsaved changes if the user
 * leaves the view or reloads the page.
 */
export function useFile(path: string): EditedFile {
  const [file, setFile] = useState<FileWithText | null>(null)
  const [text, setText] = useState("")
  const [isChangedOnDisk, setChangedOnDisk] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [opened, setOpened] = useState(0)
  /** Text of the file on disk when it was last opened or saved. */
  const base = useRef("")
  /**
   * Resolves when all earlier saves have finished. Saves run one after another, because each save
   * replaces the text that the previous save wrote.
   */
  const last = useRef<Promise<void>>(Promise.resolve())
  /**
   * The value of `isModuleAllowed` that the user has selected, while the server stores it.
   * Otherwise null.
   */
  const [allowing, setAllowing] = useState<boolean | null>(null)

  useEffect(() => {
    let isLeft = false
    fetchJson<FileWithText>(`/file?path=${encodeURIComponent(path)}`).then(
      (onDisk) => {
        if (isLeft) return
        const draft = readDraft(path)
        const isDraft = draft !== null && draft.text !== onDisk.text
        if (!isDraft) storeDraft(path, null)
        base.current = isDraft ? draft.base : onDisk.text
        setFile({ ...onDisk, text: base.current })
        setText(isDraft ? draft.text : onDisk.text)
        setChangedOnDisk(isDraft && draft.base !== onDisk.text)
        setError(null)
      },
      (cause: unknown) => setError(messageOf(cause)),
    )
    return () => {
      isLeft = true
    }
  }, [path, opened])

  const edit = (next: string): void => {
    if (file === null) return
    setText(next)
    storeDraft(path, next === file.text ? null : { text: next, base: file.text })
  }
  const write = async (overwrite: boolean): Promise<void> => {
    try {
      await fetchJson("/file", {
        method: "PUT",
        body: { file: path, text, ...(!overwrite && { base: base.current }) },
      })
      base.current = text
      setFile((now) => now && { ...now, text })
      setChangedOnDisk(false)
      // The user may have edited the text during the save.
      const draft = readDraft(path)
      storeDraft(path, draft === null || draft.text === text ? null : { ...draft, base: text })
      setError(null)
    } catch (cause) {
      if (cause instanceof ClientError && cause.code === "file_changed") setChangedOnDisk(true)
      else setError(messageOf(cause))
    }
  }
  const allowModule = async (isAllowed: boolean): Promise<void> => {
    setAllowing(isAllowed)
    try {
      await fetchJson("/module", { method: "POST", body: { file: path, isAllowed } })
      setFile((now) =>
        now?.module == null ? now : { ...now, module: { ...now.module, isAllowed } },
      )
      setError(null)
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      setAllowing(null)
    }
  }
  return {
    file,
    text,
    isSaved: file === null || text === file.text,
    isChangedOnDisk,
    error,
    edit,
    save(overwrite = false) {
      if (file !== null) last.current = last.current.then(() => write(overwrite))
      return last.current
    },
    discard() {
      storeDraft(path, null)
      setFile(null)
      setOpened(opened + 1)
    },
    isModuleAllowed: allowing ?? file?.module?.isAllowed === true,
    allowModule,
  }
}
