import type { Node } from '@babel/types'
import { withoutTypes } from './evaluate.ts'

/** Returns the expressions and statements directly inside a node, except types and names that are not references. */
export function childrenOf(node: Node): readonly Node[] {
  if (node.type.startsWith('TS') && node === withoutTypes(node)) return []
  if (/^(?:Import|Export(?:All|Specifier|Namespace))/.test(node.type)) return []
  const skipped = new Set<unknown>([
    'typeAnnotation',
    'typeParameters',
    'typeArguments',
    'returnType',
    'specifiers',
    'leadingComments',
    'trailingComments',
    'innerComments',
    'loc',
    ...('computed' in node && node.computed ? [] : node.type === 'MemberExpression' ? ['property'] : ['key']),
    ...(node.type === 'ObjectProperty' && node.shorthand ? ['key'] : []),
  ])
  return Object.entries(node)
    .filter(([key]) => !skipped.has(key))
    .flatMap(([, value]) => value as unknown)
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
}
