import { keyName, memberName } from './query-names.ts'
import { xmlText } from './xml-text.ts'

/** What an operation answers, as the elements in its result. */
export function xmlFields(operation: string, fields: object): string {
  return Object.entries(fields)
    .map(([field, value]) => {
      if (value === undefined || value === null) return ''
      const name = memberName(operation, field)
      if (Array.isArray(value)) return value.map(each => element(name, content(operation, each))).join('')
      if (typeof value !== 'object') return element(field, xmlText(String(value)))
      // What is neither a list nor a single value is a map.
      return Object.entries(value)
        .map(([key, each]) =>
          element(name, element(keyName(field), xmlText(key)) + element('Value', content(operation, each))),
        )
        .join('')
    })
    .join('')
}

function content(operation: string, value: unknown): string {
  return typeof value === 'object' && value !== null
    ? xmlFields(operation, value)
    : xmlText(String(value ?? ''))
}

/** An element with content that is XML already. */
export function element(name: string, xml: string): string {
  return xml === '' ? `<${name}/>` : `<${name}>${xml}</${name}>`
}
