import { isObject } from '@signalbox/codec'

/** What a plan of Terraform knows of the values of a program in JSON: texts with references are not known yet. */
export function planned(program: { readonly [section: string]: unknown }): string {
  const { resource, data, variable } = program as {
    resource: { [type: string]: { [name: string]: { [attribute: string]: unknown } } }
    data: { archive_file: { [name: string]: { [attribute: string]: unknown } } }
    variable: object
  }
  const isUnknown = (text: string) => /(?<!\$)\$\{/.test(text) && !text.startsWith('${data.')
  const known = (value: unknown): unknown => {
    if (typeof value === 'string')
      return isUnknown(value)
        ? undefined
        : value
            .replace(/^\$\{data\.archive_file\.(\w+)\.output_path\}$/, '.terraform/$1.zip')
            .replaceAll('$${', '${')
            .replaceAll('%%{', '%{')
    if (Array.isArray(value)) return value.map(each => known(each) ?? null)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, known(each)]))
  }
  const marks = (value: unknown): unknown => {
    if (typeof value === 'string') return isUnknown(value)
    if (Array.isArray(value)) return value.map(marks)
    if (!isObject(value)) return false
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marks(each)]))
  }
  /** Blocks are lists in a plan, and attributes that are maps are not. */
  const isMap = new Set(['variables', 'provider_details', 'attribute_mapping'])
  const blocks = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(blocks)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        isObject(each) && !isMap.has(name) ? [blocks(each)] : blocks(each),
      ]),
    )
  }
  /** What the configuration of a plan has: blocks in lists, and something for every attribute. */
  const expressions = (value: unknown): unknown => {
    if (Array.isArray(value) && value.some(isObject)) return value.map(expressions)
    if (!isObject(value)) return {}
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isMap.has(name) ? {} : expressions(each)]),
    )
  }
  const all = Object.entries(resource).flatMap(([type, named]) =>
    Object.entries(named).map(([name, body]) => ({
      address: `${type}.${name}`,
      type,
      name,
      body: blocks(body),
    })),
  )
  return JSON.stringify({
    format_version: '1.2',
    variables: Object.fromEntries(Object.keys(variable).map(name => [name, { value: name }])),
    planned_values: {
      root_module: {
        resources: all.map(({ body, ...each }) => ({ ...each, mode: 'managed', values: known(body) })),
      },
    },
    prior_state: {
      values: {
        root_module: {
          resources: Object.entries(data.archive_file).map(([name, values]) => ({
            address: `data.archive_file.${name}`,
            mode: 'data',
            type: 'archive_file',
            name,
            values,
          })),
        },
      },
    },
    resource_changes: all.map(({ address, body }) => ({ address, change: { after_unknown: marks(body) } })),
    configuration: {
      root_module: {
        resources: all.map(({ body, ...each }) => ({ ...each, expressions: expressions(body) })),
      },
    },
  })
}
