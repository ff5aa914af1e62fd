import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { query, setQuery } from '../address/address.ts'
import { type Option, SelectField, TextField } from './field.tsx'

/** The fields that filter a list. The address contains their values. */
export function Filters({
  names,
  isOneLine = false,
  children,
}: {
  /** The parameters of the address that the button "Clear filters" removes. */
  readonly names: readonly string[]
  /** Whether the fields are narrow enough for one line of a usual screen. */
  readonly isOneLine?: boolean
  readonly children: ComponentChildren
}) {
  const now = query.value
  return (
    <search>
      <form
        class={isOneLine ? 'filters one-line' : 'filters'}
        aria-label="Filters"
        onSubmit={event => event.preventDefault()}
      >
        {children}
        {names.some(name => now.get(name)) && (
          <button
            type="button"
            class="quiet"
            aria-label="Clear filters"
            onClick={() => setQuery(Object.fromEntries(names.map(name => [name, undefined])))}
          >
            Clear
          </button>
        )}
      </form>
    </search>
  )
}

interface Filter {
  /** The parameter of the address. */
  readonly name: string
  readonly label: string
  /** Whether only screen readers get the label, because the value already says what it is for. */
  readonly isLabelUnseen?: boolean
  readonly isWide?: boolean
}

/** A filter for a text or a time. The address is updated when the user stops typing. */
export function TextFilter({
  name,
  type = 'search',
  ...rest
}: Filter & {
  readonly type?: 'search' | 'datetime-local'
  readonly step?: string
  readonly placeholder?: string
}) {
  const inAddress = query.value.get(name) ?? ''
  const [text, setText] = useState(inAddress)
  useEffect(() => setText(inAddress), [inAddress])
  useEffect(() => {
    if (text === inAddress) return
    const timer = setTimeout(() => setQuery({ [name]: text }), 250)
    return () => clearTimeout(timer)
  }, [text, inAddress, name])
  return <TextField {...rest} type={type} value={text} onText={setText} />
}

/** A filter that selects one of a few values. */
export function SelectFilter({
  name,
  options,
  initial = '',
  ...rest
}: Filter & {
  readonly options: readonly Option[]
  /** The value when the address does not have the parameter. */
  readonly initial?: string
}) {
  return (
    <SelectField
      {...rest}
      value={query.value.get(name) ?? initial}
      onValue={value => setQuery({ [name]: value })}
      options={options}
    />
  )
}
