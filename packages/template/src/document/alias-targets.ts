import { pointerTo } from '@signalbox/codec'
import type { Alias, Document, Node, Pair } from 'yaml'
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml'
import { TemplateError } from './template-error.ts'
import { mostDepth } from './too-deep.ts'
import { mostValues } from './too-many.ts'

/** What a value becomes after its aliases are replaced. */
interface Extent {
  readonly values: number
  readonly depth: number
}

/**
 * Returns what the aliases of a document stand for. Counts the values that there will be without building them: a few lines of
 * aliases can stand for a billion values.
 * @throws TemplateError for too many values, for too deep ones, and for an alias of itself or of no value before it
 */
export function aliasTargets(document: Document): ReadonlyMap<Alias, Node> {
  const targets = new Map<Alias, Node>()
  const anchors = new Map<string, Node>()
  const extents = new Map<Node, Extent>()
  const place: (string | number)[] = []
  const wrong = (expected: string, actual: string) =>
    new TemplateError([{ pointer: pointerTo(...place), expected, actual }])

  const ofAlias = (alias: Alias): Extent => {
    const target = anchors.get(alias.source)
    if (target === undefined) throw wrong(`&${alias.source} before this alias`, `*${alias.source}`)
    const extent = extents.get(target)
    if (extent === undefined) throw wrong('an alias outside of its own value', `*${alias.source}`)
    targets.set(alias, target)
    return extent
  }

  const ofParts = (parts: readonly (readonly [string | number, unknown])[]): Extent => {
    let values = 1
    let depth = 0
    for (const [name, part] of parts) {
      place.push(name)
      const extent = extentOf(part)
      values += extent.values
      depth = Math.max(depth, extent.depth + 1)
      if (values > mostValues) throw wrong(`at most ${mostValues} values`, 'more')
      if (depth > mostDepth) throw wrong(`collections in at most ${mostDepth} collections`, 'more')
      place.pop()
    }
    return { values, depth }
  }

  const extentOf = (node: unknown): Extent => {
    if (!isNode(node)) return one
    if (isAlias(node)) return ofAlias(node)
    const { anchor } = node
    if (anchor !== undefined) anchors.set(anchor, node)
    const extent = isMap(node)
      ? ofParts((node.items as readonly Pair[]).flatMap(partsOf))
      : isSeq(node)
        ? ofParts(node.items.map((item, at) => [at, item]))
        : one
    if (anchor !== undefined) extents.set(node, extent)
    return extent
  }

  extentOf(document.contents)
  return targets
}

const one: Extent = { values: 1, depth: 0 }

/** Returns the key of a pair, which can have an anchor, and its value. */
function partsOf({ key, value }: Pair): readonly (readonly [string, unknown])[] {
  const name = nameOf(key)
  return isScalar(key) && key.anchor === undefined
    ? [[name, value]]
    : [
        [name, key],
        [name, value],
      ]
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.source ?? key.value) : '?'
}
