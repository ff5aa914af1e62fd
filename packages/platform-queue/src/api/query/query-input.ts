import type { Mixed } from 'io-ts'
import { keyName, memberName } from './query-names.ts'
import type { ParameterNode } from './query-parameters.ts'

/** The structure of an io-ts codec: its kind and its parts. */
interface Shape extends Mixed {
  readonly _tag?: string
  readonly props?: { readonly [field: string]: Shape }
  readonly types?: readonly Shape[]
  readonly type?: Shape
  readonly codomain?: Shape
}

/**
 * Builds the input of an operation from the parameters of a query request, in the form of the JSON protocol. Invalid
 * values stay unchanged, so that the operation's codec finds them. Unknown parameters are omitted.
 */
export function queryInput(operation: string, codec: Mixed, parameters: ParameterNode): object {
  return structure(operation, codec, parameters)
}

function structure(operation: string, shape: Shape, node: ParameterNode): object {
  const found: [string, unknown][] = []
  for (const [field, type] of fieldsOf(shape)) {
    // Clients send an empty list under the name of the list, not under the name of its members.
    const child = node.children?.get(isRepeated(type) ? memberName(operation, field) : field)
    const source = child ?? node.children?.get(field)
    if (source !== undefined) found.push([field, readValue(operation, field, type, source)])
  }
  return Object.fromEntries(found)
}

function readValue(operation: string, field: string, shape: Shape, node: ParameterNode): unknown {
  switch (shape._tag) {
    case 'ArrayType':
      return members(node).map(each => readValue(operation, field, shape.type!, each))
    case 'DictionaryType':
      return Object.fromEntries(
        members(node).map(member => {
          const value = member.children?.get('Value')
          return [
            member.children?.get(keyName(field))?.value ?? '',
            value && readValue(operation, field, shape.codomain!, value),
          ]
        }),
      )
    case 'PartialType':
    case 'InterfaceType':
    case 'IntersectionType':
      return structure(operation, shape, node)
    default:
      return scalar(shape, node.value ?? '')
  }
}

function isRepeated({ _tag }: Shape): boolean {
  return _tag === 'ArrayType' || _tag === 'DictionaryType'
}

function fieldsOf(shape: Shape): readonly (readonly [string, Shape])[] {
  return [shape, ...(shape.types ?? [])].flatMap(({ props = {} }) => Object.entries(props))
}

/** Returns numbered members in the order of their numbers, which can have gaps. A single member needs no number. */
function members(node: ParameterNode): readonly ParameterNode[] {
  const numbered = [...(node.children ?? [])].filter(([part]) => /^\d{1,9}$/.test(part))
  if (numbered.length > 0) return numbered.sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => child)
  return node.value || node.children ? [node] : []
}

/** Converts a value to the type of its codec, because all values of a query request are strings. */
function scalar(shape: Shape, text: string): unknown {
  if (shape.is(text)) return text
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : text === 'true'
  return shape.is(value) ? value : text
}
