import type { ComponentChildren } from 'preact'

/** The tone of a badge. Each tone has a symbol in addition to its colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

const signs: Readonly<Record<Tone, string>> = { good: '✓', warn: '!', bad: '✕', plain: '' }

/** A badge that shows a short state, such as a verdict. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      {signs[tone] !== '' && <span aria-hidden="true">{signs[tone]}</span>}
      <span>{children}</span>
    </span>
  )
}
