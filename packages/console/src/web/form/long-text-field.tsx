import { TextArea, TextField } from '../parts/field.tsx'
import { plainText } from '../text/segments-of.ts'

/** A field for a long text. Its height fits the text. */
export function LongTextField({
  name,
  value,
  onChange,
}: {
  readonly name: string
  readonly value: string
  readonly onChange: (value: unknown) => void
}) {
  if (value.length > 100_000)
    return (
      <p>
        {plainText(name)}:{' '}
        <span class="faint">{value.length.toLocaleString('en')} characters, too many for a form</span>
      </p>
    )
  return value.length > 80 || value.includes('\n') ? (
    <TextArea label={name} isWide rows={3} value={value} onText={onChange} />
  ) : (
    <TextField label={name} isWide value={value} onText={onChange} />
  )
}
