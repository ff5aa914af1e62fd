import { useEffect, useState } from 'preact/hooks'
import { plainText } from '../text/segments-of.ts'

/** A field for JSON. Incomplete JSON stays in the field without changing the value. */
export function JsonField({
  name,
  value,
  onChange,
}: {
  readonly name: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}) {
  const [text, setText] = useState('')
  const [isBroken, setBroken] = useState(false)
  const written = JSON.stringify(value)
  useEffect(() => {
    setText(was => (sameJson(was, written) ? was : (written ?? '')))
  }, [written])
  return (
    <label class="field wide">
      <span>
        {plainText(name)} (JSON){isBroken && <strong> is not valid yet</strong>}
      </span>
      <textarea
        rows={2}
        spellcheck={false}
        value={text}
        onInput={event => {
          const next = event.currentTarget.value
          setText(next)
          try {
            onChange(JSON.parse(next))
            setBroken(false)
          } catch {
            setBroken(true)
          }
        }}
      />
    </label>
  )
}

function sameJson(text: string, written: string | undefined): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === written
  } catch {
    return false
  }
}
