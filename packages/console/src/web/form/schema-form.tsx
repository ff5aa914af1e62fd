import { SelectField, TextField } from '../parts/field.tsx'
import { plainText } from '../text/segments-of.ts'
import { emptyValue, formField, type Schema } from './form-field.ts'
import { JsonField } from './json-field.tsx'
import { LongTextField } from './long-text-field.tsx'
import { NewMember } from './new-member.tsx'

interface FieldProps {
  readonly schema: Schema
  /** The root schema, which contains the definitions. */
  readonly root: Schema
  readonly name: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isRequired: boolean
}

/** A form for a value that a JSON Schema describes. It keeps members that the schema does not name. */
export function SchemaForm({
  schema,
  value,
  onChange,
}: {
  readonly schema: Schema
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}) {
  return (
    <div class="schema-form stack">
      <Field schema={schema} root={schema} name="event" value={value} onChange={onChange} isRequired />
    </div>
  )
}

function Field(props: FieldProps) {
  const { schema, root, value, name, onChange, isRequired } = props
  const field = formField(schema, value, root)
  if (value === undefined || value === null)
    return (
      <div class="absent">
        <span>{plainText(name)}</span> <span class="faint">{value === null ? 'null' : 'absent'}</span>
        <button
          type="button"
          class="quiet"
          aria-label={`Add ${plainText(name)}`}
          onClick={() => onChange(emptyValue(schema, root))}
        >
          Add
        </button>
      </div>
    )
  const remove = !isRequired && (
    <button
      type="button"
      class="quiet"
      aria-label={`Remove ${plainText(name)}`}
      onClick={() => onChange(undefined)}
    >
      Remove
    </button>
  )
  switch (field.kind) {
    case 'object': {
      const own = asRecord(value)
      const known = new Set(field.members.map(member => member.name))
      const others = Object.keys(own).filter(each => !known.has(each))
      return (
        <details class="group" open>
          <summary>
            {plainText(name)} {remove}
          </summary>
          <div class="stack">
            {field.members.map(member => (
              <Field
                key={member.name}
                {...member}
                root={root}
                value={own[member.name]}
                onChange={next => onChange(withMember(own, member.name, next))}
              />
            ))}
            {others.map(other => (
              <Field
                key={other}
                name={other}
                schema={schemaLike(own[other])}
                root={root}
                value={own[other]}
                isRequired={false}
                onChange={next => onChange(withMember(own, other, next))}
              />
            ))}
          </div>
        </details>
      )
    }
    case 'list': {
      const items = Array.isArray(value) ? value : []
      return (
        <details class="group" open={items.length < 5}>
          <summary>
            {plainText(name)} <span class="faint">{counted(items.length, 'item', 'items')}</span> {remove}
          </summary>
          <div class="stack">
            {items.map((item, index) => (
              <Field
                key={index}
                name={`${name} ${index + 1}`}
                schema={field.items}
                root={root}
                value={item}
                isRequired={false}
                onChange={next =>
                  onChange(
                    next === undefined
                      ? items.filter((_, at) => at !== index)
                      : items.map((each, at) => (at === index ? next : each)),
                  )
                }
              />
            ))}
            <div>
              <button
                type="button"
                class="quiet"
                onClick={() => onChange([...items, emptyValue(field.items, root)])}
              >
                Add to {plainText(name)}
              </button>
            </div>
          </div>
        </details>
      )
    }
    case 'map': {
      const own = asRecord(value)
      return (
        <details class="group" open={Object.keys(own).length < 12}>
          <summary>
            {plainText(name)}{' '}
            <span class="faint">{counted(Object.keys(own).length, 'entry', 'entries')}</span> {remove}
          </summary>
          <div class="stack">
            {Object.entries(own).map(([key, each]) => (
              <Field
                key={key}
                name={key}
                schema={field.values}
                root={root}
                value={each}
                isRequired={false}
                onChange={next => onChange(withMember(own, key, next))}
              />
            ))}
            <NewMember
              name={name}
              onAdd={key => onChange(withMember(own, key, emptyValue(field.values, root)))}
            />
          </div>
        </details>
      )
    }
    case 'choice':
      return (
        <div class="row">
          <SelectField
            label={name}
            value={JSON.stringify(value)}
            onValue={text => onChange(JSON.parse(text))}
            options={[...new Set([...field.values, value].map(each => JSON.stringify(each)))].map(
              each => [each, each.replace(/^"(.*)"$/, '$1')] as const,
            )}
          />
          {remove}
        </div>
      )
    case 'boolean':
      return (
        <div class="row">
          <label class="check">
            <input
              type="checkbox"
              checked={value === true}
              onChange={event => onChange(event.currentTarget.checked)}
            />
            {plainText(name)}
          </label>
          {remove}
        </div>
      )
    case 'number':
      return (
        <div class="row">
          <TextField
            label={name}
            type="number"
            step="any"
            value={String(value)}
            onText={text => onChange(Number(text))}
          />
          {remove}
        </div>
      )
    case 'text':
      return typeof value === 'string' ? (
        <div class="row">
          <LongTextField name={name} value={value} onChange={onChange} />
          {remove}
        </div>
      ) : (
        <JsonField name={name} value={value} onChange={onChange} />
      )
    default:
      return (
        <div class="row">
          <JsonField name={name} value={value} onChange={onChange} />
          {remove}
        </div>
      )
  }
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}

function withMember(own: Readonly<Record<string, unknown>>, name: string, value: unknown) {
  const next = Object.fromEntries(
    Object.entries(own).filter(([each]) => each !== name || value !== undefined),
  )
  if (value !== undefined)
    Object.defineProperty(next, name, { value, enumerable: true, configurable: true, writable: true })
  return next
}

function schemaLike(value: unknown): Schema {
  return /^(?:string|number|boolean)$/.test(typeof value) ? { type: typeof value } : {}
}
