import type { ComponentChildren } from 'preact'

/** A control with its label above it. */
export function Field({
  label,
  isWide = false,
  children,
}: {
  readonly label: string
  readonly isWide?: boolean
  /** The control. */
  readonly children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class={isWide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
    </label>
  )
}

interface Text {
  readonly label: string
  readonly isWide?: boolean
  readonly value: string
  readonly onText: (value: string) => void
  readonly id?: string
  readonly class?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly spellcheck?: boolean
}

interface Line extends Text {
  readonly type?: 'number' | 'password' | 'search'
  readonly autoComplete?: 'off' | 'username' | 'current-password' | 'new-password'
  readonly min?: string
  readonly max?: string
  readonly pattern?: string
  readonly title?: string
}

/** A line of text. */
export function TextField({ label, isWide = false, onText, type, ...rest }: Line) {
  return (
    <Field label={label} isWide={isWide}>
      {/* The element has one TypeScript type for each type of input, and none for several types. */}
      <input
        {...rest}
        type={(type ?? 'text') as 'text'}
        onInput={event => onText(event.currentTarget.value)}
      />
    </Field>
  )
}

/** Several lines of text. */
export function TextArea({ label, isWide = false, onText, ...rest }: Text & { readonly rows: number }) {
  return (
    <Field label={label} isWide={isWide}>
      <textarea {...rest} onInput={event => onText(event.currentTarget.value)} />
    </Field>
  )
}
