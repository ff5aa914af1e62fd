import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A modal dialog. The browser keeps the focus in it, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

/** A dialog that asks for confirmation before an action that cannot be undone. */
export function Confirmation({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string
  /** The label of the button, such as `Purge orders`. */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{children}</div>
      <div class="actions">
        {/* The first button has the focus, so that pressing Enter is harmless. */}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}
