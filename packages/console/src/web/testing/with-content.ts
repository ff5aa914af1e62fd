/** The names of fields that have only a few possible values, and therefore keep them. */
const words = new Set(['by', 'stream', 'medium', 'folder', 'severity'])

/** Returns a copy of an answer in which `content` replaces every string and is added as a record key. */
export function withContent(answer: unknown, content: string, name = ''): unknown {
  if (typeof answer === 'string') {
    const isWord =
      words.has(name) ||
      // The states and types of executions and of their steps, unlike the types of events.
      (name === 'status' && /^[A-Z_]+$/.test(answer)) ||
      (name === 'type' && /^(?:Context|Step|Wait|Callback|ChainedInvoke)$/.test(answer)) ||
      (name === 'state' && /^[A-Z][A-Za-z]+$/.test(answer)) ||
      (name === 'state' && /^(?:visible|in flight|delayed)$/.test(answer))
    return isWord ? answer : content
  }
  // The items of a list are alike, so two of them are enough.
  if (Array.isArray(answer)) return answer.slice(0, 2).map(each => withContent(each, content, name))
  if (typeof answer !== 'object' || answer === null) return answer
  if (name === 'schema') return answer
  return Object.fromEntries(
    Object.entries(answer).flatMap(([key, value]) => {
      const own = [key, withContent(value, content, key)] as const
      // Attributes, claims, headers and parameters also get the content as a name.
      return /^(?:attributes|claims|header|parameters|privateParameters)$/.test(name)
        ? [own, [content, own[1]] as const]
        : [own]
    }),
  )
}

/** Returns a list with one item for each content. */
export function itemsWith(items: readonly unknown[], contents: readonly string[]): readonly unknown[] {
  return contents.map((content, index) => {
    const item = withContent(items[0], content)
    return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'number'
      ? { ...item, id: contents.length - index }
      : item
  })
}
