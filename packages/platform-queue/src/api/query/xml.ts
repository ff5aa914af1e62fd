import { keyName, memberName } from './query-names.ts'
import { xmlText } from './xml-text.ts'

/** Writes the fields of a result as XML elements. Undefined and null fields are omitted. */
export function xmlFields(operation: string, fields: object): string {
  return presentFields(fields)
    .map(([field, value]) => {
      if (typeof value !== 'object') return element(field, xmlText(String(value)))
      const name = memberName(operation, field)
      const members = Array.isArray(value)
        ? value.map(each => content(operation, each))
        : // Any other object is a map.
          presentFields(value).map(
            ([key, each]) =>
              element(keyName(field), xmlText(key)) + element('Value', content(operation, each)),
          )
      return members.map(xml => element(name, xml)).join('')
    })
    .join('')
}

function content(operation: string, value: NonNullable<unknown>): string {
  return typeof value === 'object' ? xmlFields(operation, value) : xmlText(String(value))
}

function presentFields(fields: object): readonly [string, NonNullable<unknown>][] {
  return Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
}

/** Writes an element whose content is already XML. */
export function element(name: string, xml: string): string {
  return xml === '' ? `<${name}/>` : `<${name}>${xml}</${name}>`
}
