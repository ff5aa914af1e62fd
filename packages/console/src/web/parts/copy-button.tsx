import { useState } from 'preact/hooks'

/** A button that copies a text, and then confirms the copy. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }) {
  const [state, setState] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setState('Copied')
    } catch {
      setState('The browser does not allow it')
    }
    setTimeout(() => setState(''), 2000)
  }
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{state || label}</span>
    </button>
  )
}
