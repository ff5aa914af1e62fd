import { useEffect, useState } from 'preact/hooks'
import { TextArea } from '../parts/field.tsx'

/** A field for JSON. While the JSON is incomplete, the value does not change. */
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
    <TextArea
      label={`${name} (JSON)${isBroken ? ' is not valid yet' : ''}`}
      isWide
      rows={2}
      spellcheck={false}
      isInvalid={isBroken}
      value={text}
      onText={next => {
        setText(next)
        try {
          onChange(JSON.parse(next))
          setBroken(false)
        } catch {
          setBroken(true)
        }
      }}
    />
  )
}

function sameJson(text: string, written: string | undefined): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === written
  } catch {
    return false
  }
}
