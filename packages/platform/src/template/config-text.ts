/** Returns the source of a configuration: a module in TypeScript. */
export function configText(config: object, template: string): string {
  return `import { defineConfig } from '@signalbox/platform'

// From ${template.replaceAll(/[^\w. -]/g, '_')}.
export default defineConfig(${literal(config, '')})
`
}

/** Returns a value of JSON as a literal of TypeScript. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map(each => literal(each, inner))
    const line = `[${items.join(', ')}]`
    if (line.length + indent.length < 100 && !line.includes('\n')) return line
    return `[\n${items.map(item => `${inner}${item},\n`).join('')}${indent}]`
  }
  const fields = Object.entries(value).map(([name, each]) => `${key(name)}: ${literal(each, inner)}`)
  if (fields.length === 0) return '{}'
  const line = `{ ${fields.join(', ')} }`
  if (line.length + indent.length < 100 && !line.includes('\n')) return line
  return `{\n${fields.map(field => `${inner}${field},\n`).join('')}${indent}}`
}

function key(name: string): string {
  // In a literal, this key alone would not become a field.
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}
