import type { ComponentChildren } from 'preact'
import { plainText } from '../text/segments-of.ts'

interface Labelled {
  readonly label: string
  /** Whether only screen readers get the label, because the layout already shows what the control is for. */
  readonly isLabelUnseen?: boolean
  readonly isWide?: boolean
}

/** A control with its label above it. */
function Field({
  label,
  isLabelUnseen = false,
  isWide = false,
  children,
}: Labelled & {
  /** The control. */
  readonly children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class={isWide ? 'field wide' : 'field'}>
      <span class={isLabelUnseen ? 'unseen' : undefined}>{plainText(label)}</span>
      {children}
    </label>
  )
}

interface Text extends Labelled {
  readonly value: string
  readonly onText: (value: string) => void
  readonly id?: string
  readonly class?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly spellcheck?: boolean
}

interface Line extends Text {
  readonly type?: 'number' | 'password' | 'search' | 'datetime-local'
  readonly autoComplete?: 'off' | 'username' | 'current-password' | 'new-password'
  readonly min?: string
  readonly max?: string
  readonly step?: string
  readonly pattern?: string
  readonly title?: string
  /** Called when the user presses Enter, which then does not submit the form. */
  readonly onEnter?: () => void
}

/** A field for one line of text. */
export function TextField({
  label,
  isLabelUnseen = false,
  isWide = false,
  onText,
  onEnter,
  type,
  ...rest
}: Line) {
  return (
    <Field {...{ label, isLabelUnseen, isWide }}>
      {/* TypeScript has a separate type for each kind of input element, and none for several kinds. */}
      <input
        {...rest}
        type={(type ?? 'text') as 'text'}
        onInput={event => onText(event.currentTarget.value)}
        onKeyDown={event => {
          if (onEnter === undefined || event.key !== 'Enter') return
          event.preventDefault()
          onEnter()
        }}
      />
    </Field>
  )
}

/** A field for several lines of text. */
export function TextArea({
  label,
  isLabelUnseen = false,
  isWide = false,
  onText,
  isInvalid = false,
  ...rest
}: Text & { readonly rows: number; readonly isInvalid?: boolean }) {
  return (
    <Field {...{ label, isLabelUnseen, isWide }}>
      <textarea {...rest} aria-invalid={isInvalid} onInput={event => onText(event.currentTarget.value)} />
    </Field>
  )
}

/** A value to choose, with an optional label. */
export type Option = string | readonly [value: string, label: string]

/** A field for a choice between a few values. */
export function SelectField({
  label,
  isLabelUnseen = false,
  isWide = false,
  value,
  onValue,
  options,
  groups = [],
}: Labelled & {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly Option[]
  /** Additional options in groups, each of which has a label. */
  readonly groups?: readonly (readonly [label: string, options: readonly Option[]])[]
}) {
  return (
    <Field {...{ label, isLabelUnseen, isWide }}>
      <select value={value} onChange={event => onValue(event.currentTarget.value)}>
        <Options of={options} />
        {groups.map(([name, each]) => (
          <optgroup key={name} label={plainText(name)}>
            <Options of={each} />
          </optgroup>
        ))}
      </select>
    </Field>
  )
}

function Options({ of }: { readonly of: readonly Option[] }) {
  return (
    <>
      {of.map(each => {
        const [value, label] = typeof each === 'string' ? [each, each] : each
        return (
          <option key={value} value={value}>
            {plainText(label)}
          </option>
        )
      })}
    </>
  )
}
